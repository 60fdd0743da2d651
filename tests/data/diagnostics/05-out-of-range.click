InfiniteSource(LENGTH -1) -> Paint(256) -> Queue(5000000000) -> Unqueue -> Discard;
