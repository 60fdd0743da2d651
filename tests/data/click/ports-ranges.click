s :: Switch; d :: Sink;
s [0-2, 5] => [3, 0-2] d;
