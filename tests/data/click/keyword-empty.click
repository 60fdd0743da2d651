elementclass F { FLAG $f, __REST__ $r | Print(<$f>, $r) }
F(FLAG, x); F(y, FLAG 1, z);
