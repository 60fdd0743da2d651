define($v file)
elementclass A { Print($v) }
elementclass B { define($v b) A; Print($v) }
B; A;
