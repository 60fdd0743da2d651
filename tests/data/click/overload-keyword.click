elementclass F { FAST $f | Print(fast, $f) || SLOW $s | Print(slow, $s) }
F(SLOW 1); F(FAST 2);
