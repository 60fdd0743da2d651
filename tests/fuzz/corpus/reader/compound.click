elementclass F { $a, K $b, __REST__ $r | input -> Print($a, $r) -> output || -> [0] ; ... }
Idle -> F(1, K 2, 3) -> f :: F -> { $x | -> Queue("$x") -> }(5) -> Discard