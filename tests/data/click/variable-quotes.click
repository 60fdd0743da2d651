define($q "a, b", $d 'x$y', $e 5)
Print("$q"); Print($q); Print('$q'); Print("${d}"); Print(\$e);
