elementclass F { $a, LIMIT $l | Print($a, $l) }
F(LIMIT 1, LIMIT 2);
