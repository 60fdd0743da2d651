elementclass Cross { [0] -> [1]; [1] -> [0] }
a, b :: Source; c, d :: Discard;
a, b => [0, 1] x :: Cross; x [0, 1] => c, d;
