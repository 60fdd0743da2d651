elementclass F { -> Discard || -> Print -> || Source -> }
Source -> a :: F; F -> Discard; Source -> F -> Discard;
