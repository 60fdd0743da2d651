rt :: Lookup(10/8 0, 11/8 1);
elementclass Out { $n | input -> DropBroadcasts -> d :: DecIPTTL -> f :: IPFragmenter(1500) -> [0] output;
  d [1], f [1] -> e :: ICMPError($n) -> [1] output }
FromDevice(e0) -> rt;
o0 :: Out(10.0.0.1); o1 :: Out(11.0.0.1);
rt => o0, o1;
o0 [1], o1 [1] -> rt;
o0 -> ToDevice(e0); o1 -> ToDevice(e1);
