src :: RatedSource(RATE 10);
cnt :: Counter;
src -> cnt -> Discard;
