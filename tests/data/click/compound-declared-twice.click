x, y :: { $n | Source -> Print($n) -> output }(7);
x, y -> Discard;
