a :: Source b :: Tee c :: Sink
a -> b b -> c b [1] -> c
