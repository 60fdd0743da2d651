elementclass F { $a | Print($both) define($both $a-$b, $b 2) }
F(1);
