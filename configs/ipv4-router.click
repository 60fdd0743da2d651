// An IPv4 router (RFC 1812) between Linux interfaces.
//
//   headroom configs/ipv4-router.click left=eth1 right=eth2 left_net=10.0.1.1/24 right_net=10.0.2.1/24
//
// The addresses are the router's and not the system's: give the interfaces themselves none. For another
// port, add to each of the lines marked (*).

define($left eth1, $left_net 10.0.1.1/24, $left_mtu 1500,
       $right eth2, $right_net 10.0.2.1/24, $right_mtu 1500);   // (*)
AddressInfo(left $left_net, right $right_net);                  // (*)

// One port: $net is the name of its address and network, $color tells its packets from those of others.
// Input 0 takes packets to send, with their next hop in the annotation; output 0 has IP packets that
// came, output 1 ICMP errors about those that could not be sent.
elementclass RouterPort { $device, $net, $color, $mtu |
  from :: FromDevice($device);
  to :: ToDevice($device);
  arp :: ARPQuerier($net, $device:eth);

  from -> HostEtherFilter($device:eth)
       -> kind :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800);
  kind [0] -> requests :: Tee -> ARPResponder($net:ip $device:eth) -> to;
  requests [1] -> [1] arp;
  kind [1] -> [1] arp;
  kind [2] -> Strip(14)
           -> CheckIPHeader(INTERFACES $net)
           -> martians :: IPFilter(deny src net 0.0.0.0/8 or src net 127.0.0.0/8 or src net 224.0.0.0/3,
                                   deny dst net 0.0.0.0/8 or dst net 127.0.0.0/8,
                                   allow all)
           -> Paint($color)
           -> output;

  input -> DropBroadcasts
        -> same_port :: PaintTee($color)
        -> options :: IPGWOptions($net:ip)
        -> FixIPSrc($net:ip)
        -> ttl :: DecIPTTL
        -> fragments :: IPFragmenter($mtu)
        -> [0] arp -> to;
  same_port [1] -> ICMPError($net:ip, redirect, host) -> [1] output;
  options [1] -> ICMPError($net:ip, parameterproblem) -> [1] output;
  ttl [1] -> ICMPError($net:ip, timeexceeded, transit) -> [1] output;
  fragments [1] -> ICMPError($net:ip, unreachable, needfrag, PMTU $mtu) -> [1] output;
  arp [1] -> to;
  arp [2] -> ICMPError($net:ip, unreachable, host) -> [1] output;
}

// Packets to the router itself: echo requests are answered, other traffic is told that nobody listens.
elementclass Local { $address |
  input -> IPReassembler
        -> kind :: IPClassifier(icmp, udp, tcp, -);
  kind [0] -> CheckICMPHeader -> ping :: ICMPPingResponder -> output;
  ping [1] -> unheard :: Discard;
  kind [1] -> CheckUDPHeader -> port :: ICMPError($address, unreachable, port) -> output;
  kind [2] -> CheckTCPHeader -> port;
  kind [3] -> ICMPError($address, unreachable, protocol) -> output;
}

// Own addresses go to output 0, networks to those of the ports, and what is for many to output 3. A route by
// a gateway is written 192.168.0.0/16 10.0.2.7 2.
routes :: StaticIPLookup(
    left:ip 0, left:bcast 3, left:ipnet 1,
    right:ip 0, right:bcast 3, right:ipnet 2,                   // (*)
    255.255.255.255 3, 224.0.0.0/4 3,
    0.0.0.0/0 4);

left :: RouterPort($left, left, 1, $left_mtu);
right :: RouterPort($right, right, 2, $right_mtu);              // (*)
routes [1] -> left -> routes;
routes [2] -> right -> routes;                                  // (*)

routes [0] -> local :: Local(left:ip) -> routes;
routes [3] -> groups :: Discard;   // nobody here listens to broadcasts and multicasts
routes [4] -> ICMPError(left:ip, unreachable, net) -> errors :: Queue(200);

// At most a thousand errors a second (RFC 1812, 4.3.2.8).
left [1] -> errors;
right [1] -> errors;                                            // (*)
errors -> Shaper(1000) -> Unqueue -> routes;
