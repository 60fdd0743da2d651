a :: Tee; b :: Sink; a [0x2] -> [010] b; a [0b1] -> b;
