// The first configuration of many tutorials.
InfiniteSource(LIMIT 5) -> Print(ok) -> Discard;
