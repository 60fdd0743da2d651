// Numbers, ranges and an open end, in every base.
c :: Classifier(12/0800, 12/0806, 12/86dd, 12/88cc, -);
a :: Discard; b :: Tee;
c [0x1, 3-4] => a, [2-3] b;
c [0, 02,] => [0b1, 7] b;
