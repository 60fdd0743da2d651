// Information elements are elements like others; their names may be handed into compound elements.
AddressInfo(gw 10.0.0.1 0:1:2:3:4:5, lan 10.1.0.0/16);
elementclass Host { $name, NET $net |
  AddressInfo(me $name:ip, net $net);
  input -> StaticIPLookup(me 0, net 0, 0/0 gw:ip 0) -> output
}
FromDevice(eth0) -> h :: Host(eth0, NET lan) -> Discard;
