s :: Source; x, y :: { -> }; z :: { -> };
s -> x, y; x, y -> z; z -> Sink;
