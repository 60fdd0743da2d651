elementclass Marked { $colour |
  input -> Paint($colour) -> output
}
elementclass Lane { $colour, LENGTH $length |
  input -> Marked($colour) -> Queue($length) -> Unqueue -> output
}
InfiniteSource
  -> left :: Lane(red, LENGTH 10)
  -> right :: Lane(1, LENGTH long)
  -> Discard;
