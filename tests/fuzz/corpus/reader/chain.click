src :: Idle -> q :: Queue(5) -> Print(x, 3) -> Discard;
