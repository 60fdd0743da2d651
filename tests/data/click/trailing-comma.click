elementclass F { $a | Print($a) }
F(1, ); Print(1,,2,);
