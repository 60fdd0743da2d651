out :: Queue(10);
in :: Idle -> out;
out :: Queue(20) -> Discard;
Queue :: Discard;
1 :: Idle;
