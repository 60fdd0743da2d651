a, b :: Source; c, d :: Sink; w :: { -> };
a, b -> w; w -> c, d;
