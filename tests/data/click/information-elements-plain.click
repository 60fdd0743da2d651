AddressInfo(me 10.0.0.1 1:2:3:4:5:6, net 10.0.0.0/24); PortInfo(web 80/tcp);
elementclass Host { $name | AddressInfo(self $name); input -> ARPResponder(self) -> output }
Source -> Host(me) -> Sink;
