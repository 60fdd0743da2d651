InfiniteSource(LENGTH 64, 100) -> Print(label, 10, 20, 30) -> Paint(1, ANNO, 5) -> Discard(5);
