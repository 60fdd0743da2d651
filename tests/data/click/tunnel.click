define($local 192.0.2.1, $remote 192.0.2.2)
elementclass Tunnel { $from, $to |
  [0] -> IPEncap(4, $from, $to) -> [1] output;
  [1] -> CheckIPHeader -> StripIPHeader -> [0] output
}
FromHost(tun0) -> [0] t :: Tunnel($local, $remote) [0] -> ToHost(tun0);
FromDevice(eth0) -> [1] t [1] -> ToDevice(eth0);
