elementclass Prio2 { [0] -> high :: Queue; [1] -> low :: Queue;
  s :: PrioSched; high -> [0] s; low -> [1] s; s -> output }
c :: IPClassifier(ip dscp 46, -);
FromDevice(eth0) -> c => [0, 1] p :: Prio2;
p -> ToDevice(eth1);
