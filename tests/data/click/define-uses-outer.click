define($base 10)
c :: { define($next $base.1) Print($next); d :: { Print($next/$base) } };
