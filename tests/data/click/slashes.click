a/b :: Source; c :: { d :: Print; input -> d -> }; a/b -> c -> x/y/z :: Discard;
