elementclass Meter2 { $lo, $hi |
  -> m :: Meter($lo, $hi);
  m [0] -> Paint(0) -> [0] output; m [1] -> Paint(1) -> [0] output; m [2] -> [1] output
}
Source -> m :: Meter2(100, 200) => Queue, Discard; 
