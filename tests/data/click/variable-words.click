define($l a "b c" d, $i 1)
Print(${l[0]}, ${l[$i]}, ${l[2]}, <${l[3]}>);
