tee :: Tee(3);
InfiniteSource -> tee;
tee [*] -> Discard;
tee [x] -> Discard;
tee [1 -> Discard;
tee [0, 1] -> [0, 1] Idle;
tee [0-2] => Discard, Discard;
