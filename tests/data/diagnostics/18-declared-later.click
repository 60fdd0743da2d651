InfiniteSource -> queue;
queue -> Unqueue -> Discard;
queue :: Queue(10);
