input :: Idle; output :: Discard; input -> output; provide x; || ... | $
