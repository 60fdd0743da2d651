elementclass Shaped {
  $length | input -> Queue($length) -> Unqueue -> output
|| $length, BURST $burst | input -> Queue($length) -> Unqueue(BURST $burst) -> output
}
InfiniteSource -> Shaped(100, BRUST 8) -> Discard;
InfiniteSource -> Shaped(100, BURST 8, 9) -> Discard;
InfiniteSource -> Shaped -> Discard;
