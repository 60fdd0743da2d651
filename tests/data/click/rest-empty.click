elementclass Src { __REST__ $r | InfiniteSource($r) -> output }
Src -> Discard;
