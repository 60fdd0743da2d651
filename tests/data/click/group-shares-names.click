q :: Queue;
Source -> ( -> p :: Print -> q ); q -> u :: Unqueue; u -> ( -> Discard ); p [1] -> Discard;
