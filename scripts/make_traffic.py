#!/usr/bin/env python3
"""Writes a capture file of IPv4 UDP and TCP frames to route.

The packets belong to a number of flows. Every flow has one destination address, uniform over the
prefixes of --routes, and its own source and ports; packets take the flows in random order. The same
arguments give the same file.
"""

import argparse
import ipaddress
import random
import struct
import sys

ETHERNET, IPV4, UDP, TCP = 14, 20, 8, 20
PROTO_TCP, PROTO_UDP = 6, 17
DEFAULT_ROUTES = ",".join(f"10.{i}.0.0/16" for i in range(16))
# Ports that protocol analysers take for nothing in particular, so that the payload stays payload.
SOURCE_PORTS = range(50001, 50401)
DESTINATION_PORT = 9  # discard, RFC 863


def mac(text):
    parts = text.split(":")
    try:
        octets = bytes(int(part, 16) for part in parts)
    except ValueError:
        octets = b""
    if len(octets) != 6 or any(len(part) > 2 for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is no MAC address such as 02:00:00:00:00:01")
    return octets


def prefixes(text):
    result = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            result.append(ipaddress.IPv4Network(part))
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{part}' is no IPv4 prefix: {error}")
    if not result:
        raise argparse.ArgumentTypeError("at least one prefix is needed")
    return result


def integer(low, high):
    def convert(text):
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no integer")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is not from {low} to {high}")
        return value

    return convert


def fraction(text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def checksum(data):
    """The Internet checksum of RFC 1071."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Flow:
    def __init__(self, rng, routes, tcp_fraction):
        route = rng.choice(routes)
        first, count = int(route.network_address), route.num_addresses
        # Leaves out the first and the last address of a prefix: they are no hosts.
        offset = rng.randrange(1, count - 1) if count > 2 else rng.randrange(count)
        self.destination = struct.pack("!I", first + offset)
        # 198.18.0.0/15 is for benchmarks (RFC 2544).
        self.source = struct.pack("!I", 0xC6120000 + rng.randrange(1, (1 << 17) - 1))
        self.source_port = rng.choice(SOURCE_PORTS)
        self.protocol = PROTO_TCP if rng.random() < tcp_fraction else PROTO_UDP
        self.sequence = rng.getrandbits(32)

    def segment(self, length, number):
        """The transport header and payload, `length` bytes in all."""
        header = UDP if self.protocol == PROTO_UDP else TCP
        payload = (struct.pack("!I", number) * (length // 4 + 1))[: length - header]
        ports = struct.pack("!HH", self.source_port, DESTINATION_PORT)
        if self.protocol == PROTO_UDP:
            start, end = ports + struct.pack("!H", length), b""
        else:
            start = ports + struct.pack("!IIBBH", self.sequence, 1, 5 << 4, 0x10, 65535)
            end = b"\0\0"  # urgent pointer
            self.sequence = (self.sequence + len(payload)) & 0xFFFFFFFF
        pseudo = self.source + self.destination + struct.pack("!BBH", 0, self.protocol, length)
        value = checksum(pseudo + start + b"\0\0" + end + payload)
        if self.protocol == PROTO_UDP and value == 0:
            value = 0xFFFF  # RFC 768: zero means that there is none
        return start + struct.pack("!H", value) + end + payload

    def packet(self, length, number, ttl):
        """The IPv4 packet, `length` bytes in all."""
        start = struct.pack(
            "!BBHHHBB", 0x45, 0, length, number & 0xFFFF, 0, ttl, self.protocol)
        addresses = self.source + self.destination
        value = checksum(start + b"\0\0" + addresses)
        return (start + struct.pack("!H", value) + addresses
                + self.segment(length - IPV4, number))


def bad_frame(rng, ethernet, flow, size, number):
    """A frame that a router must not forward, of one of three kinds."""
    kind = rng.choice(("checksum", "ttl", "not-ip"))
    packet = bytearray(flow.packet(size - ETHERNET, number, 1 if kind == "ttl" else 64))
    if kind == "checksum":
        packet[10] ^= 0x55
    elif kind == "not-ip":
        # 0x88b5 is for local experiments (IEEE 802).
        return kind, ethernet[:12] + b"\x88\xb5" + bytes(len(packet))
    return kind, ethernet + bytes(packet)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: make_traffic.py --out in.pcap --routes 10.0.0.0/8,192.0.2.0/24 --size 1514")
    parser.add_argument("--out", required=True, metavar="FILE", help="the capture file to write")
    parser.add_argument("--packets", type=integer(1, 100_000_000), default=4096, metavar="N",
                        help="how many frames (4096)")
    parser.add_argument("--size", type=integer(60, 9018), default=60, metavar="BYTES",
                        help="length of every frame without its FCS, from 60 to 9018 (60)")
    parser.add_argument("--routes", type=prefixes, default=prefixes(DEFAULT_ROUTES),
                        metavar="PREFIX,...",
                        help="destinations are uniform over these (10.0.0.0/16 to 10.15.0.0/16)")
    parser.add_argument("--flows", type=integer(1, 10_000_000), default=None, metavar="N",
                        help="how many flows (as many as packets)")
    parser.add_argument("--tcp", type=fraction, default=0.5, metavar="FRACTION",
                        help="share of the flows that is TCP, the rest is UDP (0.5)")
    parser.add_argument("--bad-fraction", type=fraction, default=0.0, metavar="FRACTION",
                        help="share of frames that a router must drop: wrong IPv4 checksum, TTL 1 "
                             "or not IPv4, in equal parts (0)")
    parser.add_argument("--dst-mac", type=mac, default=mac("02:00:00:00:00:01"), metavar="MAC",
                        help="destination of every frame (02:00:00:00:00:01)")
    parser.add_argument("--src-mac", type=mac, default=mac("02:00:00:00:00:02"), metavar="MAC",
                        help="source of every frame (02:00:00:00:00:02)")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="another seed gives other packets (1)")
    return parser.parse_args(arguments)


def write_capture(out, options):
    rng = random.Random(options.seed)
    flows = [Flow(rng, options.routes, options.tcp) for _ in range(options.flows or options.packets)]
    ethernet = options.dst_mac + options.src_mac + b"\x08\x00"
    kinds = {}
    # Classic format with nanoseconds, link type 1 (Ethernet).
    out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
    for number in range(options.packets):
        flow = rng.choice(flows)
        if options.bad_fraction and rng.random() < options.bad_fraction:
            kind, frame = bad_frame(rng, ethernet, flow, options.size, number)
            kinds[kind] = kinds.get(kind, 0) + 1
        else:
            frame = ethernet + flow.packet(options.size - ETHERNET, number, 64)
        seconds, microsecond = divmod(number, 1_000_000)  # one packet a microsecond
        seconds += 1_000_000_000  # a time of 0 would mean "no timestamp"
        out.write(struct.pack("<IIII", seconds, microsecond * 1000, len(frame), len(frame)))
        out.write(frame)
    return kinds


def main():
    options = parse(sys.argv[1:])
    try:
        with open(options.out, "wb") as out:
            kinds = write_capture(out, options)
    except OSError as error:
        sys.exit(f"make_traffic.py: cannot write {options.out}: {error.strerror}")
    bad = "".join(f", {count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{options.out}: {options.packets} frames of {options.size} bytes{bad}")


if __name__ == "__main__":
    main()
