InfiniteSource -> Counter -> ;
-> Print(lost) -> Discard;
a :: Idle
b :: Idle -> -> Discard;
