c :: Classifier(12/0800, -);
Source -> c => ( [0] -> Strip(14) -> [0]; [1] -> Print(other) -> [0] ) -> Discard;
