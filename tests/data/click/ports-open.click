s :: Switch; a, b, c :: Sink;
s [1,] => a, b, c;
