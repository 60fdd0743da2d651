elementclass F { -> c :: Classifier(1, -) => ( -> Print(a) -> ), ( -> Print(b) -> ) -> }
Source -> f :: F -> Sink;
