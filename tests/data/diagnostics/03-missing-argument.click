InfiniteSource
  -> EtherRewrite(00:01:02:03:04:05)
  -> Paint
  -> Discard;
