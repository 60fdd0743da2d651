elementclass Port { $dev, $ip |
  FromDevice($dev) -> Paint($ip) -> output;
  input -> Queue(200) -> ToDevice($dev)
}
a :: Port(eth0, 1); b :: Port(eth1, 2);
rt :: StaticIPLookup(10.1/16 0, 10.2/16 1);
a, b -> rt => a, b;
