// A host at a Linux interface that answers ARP and pings, also those that come in fragments.
//
//   headroom configs/ping-responder.click device=eth1 net=10.0.0.1/24
//
// The address is the responder's and not the system's: give the interface itself none.

define($device eth1, $net 10.0.0.1/24, $mtu 1500);
AddressInfo(net $net);

from :: FromDevice($device);
to :: ToDevice($device);
arp :: ARPQuerier(net, $device:eth);

from -> HostEtherFilter($device:eth)
     -> kind :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
kind [0] -> requests :: Tee -> ARPResponder(net:ip $device:eth) -> to;
requests [1] -> [1] arp;
kind [1] -> [1] arp;
kind [2] -> Strip(14)
         -> CheckIPHeader(INTERFACES net)
         -> IPFilter(allow dst host net:ip and icmp)
         -> IPReassembler
         -> CheckICMPHeader
         -> ping :: ICMPPingResponder
         -> pings :: Counter
         -> IPFragmenter($mtu)
         -> arp -> to;
ping [1] -> other_icmp :: Discard;
kind [3] -> other_frames :: Discard;
