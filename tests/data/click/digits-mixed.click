1x :: Source -> 2b/3y :: Sink;
