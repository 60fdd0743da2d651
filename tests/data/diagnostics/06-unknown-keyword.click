InfiniteSource(LIMT 10, STOP true)
  -> Queue(CAPASITY 100)
  -> Unqueue(BURTS 32)
  -> Counter(FAST true)
  -> Discard;
