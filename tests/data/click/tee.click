t :: Tee(3);
Source -> t; t [0] -> a :: Discard; t [1] -> b :: Discard; t [2] -> a;
