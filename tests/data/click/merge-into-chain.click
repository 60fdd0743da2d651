a :: Source -> q :: Queue -> u :: Unqueue -> Sink; b :: Source -> u;
