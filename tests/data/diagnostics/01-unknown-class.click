// A slip in the name of a class.
source :: InfiniteSource(LIMIT 10)
  -> Conter
  -> Discrad();
queue :: Queu(100);
