in0 :: FromDevice(eth0); in1 :: FromDevice(eth1);
out0, out1 :: Queue(64);
in0 -> out1 -> ToDevice(eth1);
in1 -> out0 -> ToDevice(eth0);
