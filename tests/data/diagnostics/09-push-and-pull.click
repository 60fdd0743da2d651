// A queue must be pulled from, and pulling needs something to pull from.
InfiniteSource -> Queue -> Classifier(-) -> Discard;
Idle -> Tee -> Unqueue -> Discard;
