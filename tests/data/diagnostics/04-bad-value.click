InfiniteSource(LIMIT many, STOP maybe)
  -> EtherRewrite(0:1:2:3:4, 2:2:2:2:2:2)
  -> Queue(1k) -> Unqueue -> Discard;
