c :: Classifier(12/0806 20/0001, -);
FromDevice(eth0) -> c -> ARPResponder(10.0.0.1 1:1:1:1:1:1) -> Queue -> ToDevice(eth0);
c [1] -> Discard;
