elementclass S { | Print(none) || $a | Print($a) || $a, $b | Print($b, $a) }
S; S(1); S(1, 2);
