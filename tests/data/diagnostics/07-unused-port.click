classifier :: Classifier(12/0800, -);
FromDump(trace.pcap) -> classifier;
classifier [1] -> Discard;
Strip(14) -> Discard;
