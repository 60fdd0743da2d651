c :: Classifier(12/0806, 12/0800, -);
FromDevice(eth0) -> c => Print(arp), Print(ip), Print(other) -> Discard;
