elementclass Inner { $x, LEN $l | Print($x, MAXLENGTH $l) }
elementclass Outer { $who | Inner("$who", LEN 10); Inner($who, LEN 20) }
o :: Outer(me);
