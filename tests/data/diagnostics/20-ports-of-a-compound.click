elementclass Twice { input -> t :: Tee; t [0] -> output; t [1] -> [1] output }
InfiniteSource -> two :: Twice -> Discard;
InfiniteSource -> [1] other :: Twice;
other [0-2] -> Discard;
