elementclass Print { $a | -> Print(old, $a) -> }
Source -> Print(x) -> Discard;
