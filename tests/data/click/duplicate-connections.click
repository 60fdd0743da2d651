a :: Tee; b :: Sink; a -> b; a -> b; a [0] -> [0] b; a -> { -> } -> b;
