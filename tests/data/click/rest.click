elementclass Src { $n, __REST__ $r | InfiniteSource(LIMIT $n, $r) -> output }
Src(3, DATA "a, b", STOP true) -> Discard;
