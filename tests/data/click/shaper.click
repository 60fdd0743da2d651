elementclass Limit { $rate, $burst |
  input -> Queue($burst) -> Shaper($rate) -> output
}
FromDevice(eth0) -> Limit(1000, 200) -> ToDevice(eth1);
