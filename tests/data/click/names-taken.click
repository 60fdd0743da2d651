Idle; Idle; Idle@1 :: Idle; { Idle; Idle@1 :: Idle };
