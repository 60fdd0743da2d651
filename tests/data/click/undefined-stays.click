elementclass F { $a | Print($a, $b) }
F($c);
