elementclass A Queue
elementclass B A
elementclass C { $n | -> B($n) -> }
elementclass D C
Source -> D(5) -> A(6) -> Discard;
