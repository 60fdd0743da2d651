ICMPPingSource(10.0.0.1, 10.0.0.2, LIMIT 3) -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)
 -> Queue -> ToDevice(eth0);
