elementclass Split { -> c :: Classifier($p, -); c => [0, 1] output; define($p 12/0800) }
Source -> s :: Split; s [0] -> a :: Sink; s [1] -> [1] a;
