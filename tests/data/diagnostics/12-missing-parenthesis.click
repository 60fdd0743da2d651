source :: InfiniteSource(LIMIT 10, STOP true
  -> queue :: Queue(100)
  -> Unqueue -> Discard;
