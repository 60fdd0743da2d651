source :: InfiniteSource;
source -> Print(one) -> Discard;
source -> Print(two) -> Discard;
