// An IPv4 router on whole frames, as short as one can be: every frame that comes by any port of the system
// file is checked, looked up, and sent on to the route's next hop.
//
//   headroom --system SYSTEM.yaml --set compat.nba.routes=ROUTES configs/ipv4-router-nba.click
//
// A line of ROUTES is a prefix, the next hop's Ethernet address, and the number of the port, from 0 in the
// order of SYSTEM.yaml:
//
//   10.1.0.0/16  02:00:00:00:01:01  1
//
// Without an address (`-`), a frame goes back to the station that it came from, as in NBA. What ICMP and ARP
// are for is not done here: configs/ipv4-router.click is a whole router.

require(package nba);

FromInput() -> DropBroadcasts() -> CheckIPHeader() -> IPlookup() -> DecIPTTL() -> ToOutput();
