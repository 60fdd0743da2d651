c :: Classifier(a, b, c);
x :: { input [0-2] => [0-2] s :: Sched -> output };
Source -> c [] => [0-2] x -> Sink;
