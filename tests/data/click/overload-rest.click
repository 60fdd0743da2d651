elementclass F { $a, $b | Print(two) || $a, __REST__ $r | Print(more, $r) || | Print(none) }
F; F(1); F(1, 2); F(1, 2, 3);
