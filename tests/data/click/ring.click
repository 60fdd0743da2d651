a, b :: Tee; Source -> a -> b -> [1] a; b [1] -> Discard;
