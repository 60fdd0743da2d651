/* a router */ a :: Source( /* nothing */ );  // source
a /* -> b */ -> Print(x, // label
  MAXLENGTH 5 /* bytes */) -> Discard
