c :: Classifier(12/0806 20/0001, 12/0800, -);
FromDevice(eth0) -> c;
c [0] -> ARPResponder(10.0.0.1 1:2:3:4:5:6) -> q :: Queue;
c [1] -> Strip(14) -> CheckIPHeader -> q;
c [2] -> Discard;
q -> ToDevice(eth0);
