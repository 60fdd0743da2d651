a :: Tee; Source -> a; a [1] -> [1] a; a -> Sink;
