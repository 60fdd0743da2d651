InfiniteSource(DATA \<00 01, /* two */ 02 >, LIMIT 1) -> Discard;
