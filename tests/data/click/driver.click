s :: Source(STOP true) -> d :: Discard;
DriverManager(wait, print d.count, stop);
