"""Frames of numbered flows between four ports, and what a capture file has of them."""

import struct

PORTS = 4


def frame(port, flow, number):
    """UDP from 10.1.port.flow, numbered, to a port that the flow decides about."""
    payload = struct.pack("!HHI", port, flow, number)
    udp = struct.pack("!HHHH", 1000 + flow, 53, 8 + len(payload), 0) + payload
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), number, 0, 64, 17, 0,
                         bytes([10, 1, port, flow]), bytes([10, 0, (port + flow) % PORTS, flow]))
    total = sum(struct.unpack("!10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return bytes(12) + b"\x08\x00" + header[:10] + struct.pack("!H", 0xFFFF - total) + header[12:] + udp


def frames_of(path):
    with open(path, "rb") as file:
        data = file.read()
    frames, at = [], 24
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at + 8)
        frames.append(data[at + 16:at + 16 + length])
        at += 16 + length
    return frames


def pcap_ports(test, more=""):
    """The ports of a system file: p0 to p3, from in0.pcap to out0.pcap and so on in the test's directory."""
    return "ports:\n" + "".join(
        f"  p{i}: {{ vdev: 'net_pcap{i},rx_pcap={test.path(f'in{i}.pcap')}{more},"
        f"tx_pcap={test.path(f'out{i}.pcap')}' }}\n" for i in range(PORTS))
