elementclass F { | Print(outer) }
c :: { elementclass F { $a | Print(inner, $a) || ... } F; F(1) };
F;
