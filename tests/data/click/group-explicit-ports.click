t :: Tee;
t [1] -> [0] ( -> Print(a) -> ) [0] -> [2] s :: Sink;
