// An IPv4 forwarding path on one core, for scripts/demo.sh.
//
// Frames come from port `in` (configs/system/demo.yaml: a capture file, replayed for ever). IPv4 packets are
// checked, routed by the longest of 16 prefixes, have their TTL decremented, get new Ethernet addresses, and
// leave by port `out`. The first 1,000 are also written to a file.

in :: FromPort(in);
out :: ToPort(out);

in
  -> types :: Classifier(12/0800, -)
  -> Strip(14)
  -> check :: CheckIPHeader
  -> routes :: StaticIPLookup(
       10.0.0.0/16 0,   10.1.0.0/16 192.168.1.1 1,  10.2.0.0/16 0,   10.3.0.0/16 192.168.1.1 1,
       10.4.0.0/16 0,   10.5.0.0/16 192.168.1.1 1,  10.6.0.0/16 0,   10.7.0.0/16 192.168.1.1 1,
       10.8.0.0/16 0,   10.9.0.0/16 192.168.1.1 1,  10.10.0.0/16 0,  10.11.0.0/16 192.168.1.1 1,
       10.12.0.0/16 0,  10.13.0.0/16 192.168.1.1 1, 10.14.0.0/16 0,  10.15.0.0/16 192.168.1.1 1)
  -> left :: DecIPTTL
  -> Unstrip(14)
  -> EtherRewrite(02:00:00:00:00:10, 02:00:00:00:00:20)
  -> dump :: ToDump(build/demo/demo.pcap, LIMIT 1000)
  -> out;

// Every other prefix is behind another neighbour.
routes [1]
  -> right :: DecIPTTL
  -> Unstrip(14)
  -> EtherRewrite(02:00:00:00:00:10, 02:00:00:00:00:30)
  -> dump;

types [1] -> other :: Discard;
