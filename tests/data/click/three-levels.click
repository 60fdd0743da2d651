elementclass A { $x | -> Print(a$x) -> }
elementclass B { $x | -> A($x.1) -> A($x.2) -> }
elementclass C { $x | -> B($x.b) -> { -> B($x.c) -> } -> }
Source -> C(z) -> Discard;
