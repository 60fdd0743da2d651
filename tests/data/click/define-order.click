Print($a); define($a $b/$c, $c 2) define($b 1)
