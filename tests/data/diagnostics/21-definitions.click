define($burst 8, length 10, $burst 9);
define $limit 5;
InfiniteSource(LIMIT $limt) -> Queue($length) -> Unqueue(BURST $burst) -> Discard;
