define($n 3)
Script(set x 1, print $(add $x $n) $? $1, return $$);
