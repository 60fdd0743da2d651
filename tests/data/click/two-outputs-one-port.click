a :: Source; b, c :: Sink; a -> [1] b; a -> c;
