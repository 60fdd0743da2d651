define($two 1, $pair "x" , $list a)
elementclass F { $a, $b | Print($b, $a) }
elementclass G { $args | Print($args) }
F($two, $list); G("1, 2"); G($pair);
