require(package odd);

InfiniteSource(LENGTH 64, LIMIT 1000)            -> all :: Null;
InfiniteSource(LENGTH 65, LIMIT 500, STOP true)  -> all;
all -> OddDrop -> even :: Counter -> Discard;
