a, b, c :: Source;
a, b, c -> Discard; a, b => [1, 2] x :: Sink; c -> x;
