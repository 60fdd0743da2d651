queue1 :: Queue(64);
InfiniteSource -> quene1;
queue1 -> Unqueue -> counter -> Discard;
