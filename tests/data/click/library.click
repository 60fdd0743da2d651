require(library ports.click)
Port(eth0) -> Discard; Source -> Port(eth1);
