// A chain ends where no arrow follows, whatever the lines look like.
a :: Idle
  -> b :: Print // not the end
  /* nor here */ -> c
:: Queue -> d :: Print(x
) -> e :: Discard f :: Idle -> g :: Discard
