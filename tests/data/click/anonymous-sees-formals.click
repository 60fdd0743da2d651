elementclass F { $a | { $b | Print($a, $b) }(2) }
F(1);
