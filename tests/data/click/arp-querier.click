q :: ARPQuerier(10.0.0.1, 1:1:1:1:1:1);
c :: Classifier(12/0806 20/0002, 12/0800);
FromDevice(e) -> c; c [0] -> [1] q; c [1] -> Strip(14) -> [0] q; q => out :: Queue, out; out -> ToDevice(e);
