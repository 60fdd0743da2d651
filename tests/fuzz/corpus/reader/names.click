Idle; Idle; Idle@1 :: Idle; a/2 :: Tee; Tee :: A; Idle@1 :: A
