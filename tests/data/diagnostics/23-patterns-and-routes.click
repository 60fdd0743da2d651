FromDump(trace.pcap) -> c :: Classifier(12/0800, 12/08, 12/xy, 12/080 20/06);
c [0] -> StaticIPLookup(10.0.0.0/8 0, 10.0.0.0/33 0,
                        11.0.0.0/8 1) -> Discard;
c [1] -> Discard;
c [2] -> Discard;
