Source -> { -> Print(in) -> } -> { $x | -> Print($x) -> }(arg) -> Discard;
