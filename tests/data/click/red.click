Source -> RED(5, 50, 0.02) -> q :: Queue(100) -> BandwidthShaper(10kBps) -> Sink; 
