elementclass K { A $a, B $b | Print($a, $b) }
K(B 2, A 1); K(A 1, B 2, A 3);
