define($inside eth0, $outside eth1)
f :: IPFilter(
  allow tcp && dst port 22,   // maintenance
  allow icmp,
  deny all);
FromDevice($outside) -> CheckIPHeader(14) -> f -> Queue -> ToDevice($inside);
FromDevice($inside) -> Queue -> ToDevice($outside);
