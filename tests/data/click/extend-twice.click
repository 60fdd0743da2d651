elementclass F { | Print(0) }
elementclass F { $a | Print(1) || ... }
elementclass F { $a, $b | Print(2) || ... }
F; F(a); F(a, b);
