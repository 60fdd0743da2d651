#!/usr/bin/env bash
# Builds Headroom and lets it route on one core without a network card: the 4,096 packets of a
# capture file, over and over, by 16 routes. Then tshark judges what came out.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
exec </dev/null

least=10000000 # packets that must have been forwarded
demo=build/demo

scripts/setup.sh
build_preset release
make_hugepages
mkdir -p $demo
rm -f $demo/demo.pcap
say "traffic: $demo/traffic.pcap"
python3 scripts/make_traffic.py --out $demo/traffic.pcap

run=(build/release/headroom --system configs/system/demo.yaml configs/demo.click --run-for 10 -h out.count)
say "run: ${run[*]}"
# The table goes to standard error; standard output has the handler's value, the packets that left.
forwarded=$("${run[@]}") || die "headroom failed"

say "tshark on $demo/demo.pcap, the first packets that came out"
checks=(-o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -o tcp.check_checksum:TRUE
  -o tcp.analyze_sequence_numbers:FALSE) # the capture repeats, so sequence numbers do too
[[ -s $demo/demo.pcap ]] || die "the run wrote no $demo/demo.pcap"
complaints=$(tshark -r $demo/demo.pcap "${checks[@]}" \
  -Y '_ws.malformed || _ws.expert.severity >= 0x600000' 2>&1 | grep -v '^Running as user' || true)
[[ -z $complaints ]] || die "tshark complains:"$'\n'"$(head -n 20 <<<"$complaints")"
tshark -r $demo/demo.pcap -c 5 2>/dev/null
echo "$(tshark -r $demo/demo.pcap 2>/dev/null | wc -l) packets read, no complaint"

((forwarded >= least)) || die "only $forwarded packets were forwarded; at least $least were expected"
say "demo passed: $forwarded packets forwarded"
