InfiniteSource -> tee :: Tee -> counter :: Counter -> Unqueue -> Discard;
