elementclass Lane {
  input -> Queue -> Unqueue -> output

InfiniteSource -> Lane -> Discard;
