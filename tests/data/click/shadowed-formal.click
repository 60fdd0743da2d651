define($a file)
elementclass F { $a | Print($a); { Print($a) } }
F(formal); Print($a);
