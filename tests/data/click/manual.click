// Two ports, and a limit on what leaves the second one.
elementclass Limited { $device, RATE $rate |
  input -> Queue(200) -> Shaper($rate) -> ToDevice($device)
}
FromDevice(eth0) -> Print(in) -> Limited(eth1, RATE 1000);
