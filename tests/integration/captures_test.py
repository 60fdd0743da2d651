"""Captures that Wireshark's tools made, read by FromDump; tshark judges what comes of them."""

import os
import struct
import subprocess

from support import HEADROOM, ProgramTest, main

IP = bytes.fromhex("4500001c00010000401166ce0a0000010a000002") + bytes.fromhex("03e800350008 0000")
ETHER = bytes.fromhex("0202020202020101010101010800")


def run(*command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **kwargs)
    if result.returncode != 0:
        raise AssertionError(f"{command}\n{result.stdout}\n{result.stderr}")
    return result.stdout


class Captures(ProgramTest):
    def tool(self, *command, **kwargs):
        return run(*command, cwd=self.directory, **kwargs)

    def capture(self, name, frames, *options, start=1_700_000_000):
        """A capture of the frames, a millisecond apart, by text2pcap."""
        text = ""
        for i, frame in enumerate(frames):
            text += f"{start}.{i // 1000:03}{i % 1000:03}123\n0000 " + frame.hex(" ") + "\n\n"
        self.write(name + ".txt", text)
        self.tool("text2pcap", "-q", "-t", "%s.%f", *options, name + ".txt", name)
        return name

    def packets(self, name, *options):
        """Time, lengths and contents of every packet, as tshark sees them."""
        lines = self.tool("tshark", "-r", name, "-o", "frame.generate_md5_hash:TRUE", "-T", "fields", "-e",
                          "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len", "-e", "frame.md5_hash",
                          *options).splitlines()
        return [tuple(line.split("\t")) for line in lines]

    def read(self, name, arguments="", status=0, **kwargs):
        """The ledger and messages of reading the file to its end, into out.pcap."""
        result = self.run_headroom(
            "--report", "always", "-e",
            f"d :: FromDump({name}, STOP true{arguments}) -> ToDump(out.pcap)", status=status, **kwargs)
        return (self.ledger(result.stderr) if status == 0 else None), result.stderr

    def expect_same(self, name, count):
        ledger, _ = self.read(name)
        self.assertEqual(ledger["dropped"], 0)
        self.assertEqual(ledger["absorbed"], count)
        expected = self.packets(name)
        self.assertEqual(len(expected), count)
        self.assertEqual(self.packets("out.pcap"), expected)

    def test_formats_of_editcap(self):
        frames = [ETHER + IP + bytes(i) for i in range(50)]
        self.capture("in", frames)
        for form in ("pcap", "nsecpcap", "pcapng", "modpcap"):
            with self.subTest(form):
                self.tool("editcap", "-F", form, "in", "converted")
                self.expect_same("converted", 50)

    def test_nanoseconds_survive(self):
        self.capture("in", [ETHER + IP] * 3)
        for form in ("nsecpcap", "pcapng"):
            self.tool("editcap", "-F", form, "-t", "0.000000789", "in", "converted")
            self.expect_same("converted", 3)
            self.assertEqual([time[-9:] for time, *_ in self.packets("out.pcap")],
                             ["000000912", "000001912", "000002912"])

    def test_packets_cut_by_a_snap_length(self):
        self.capture("in", [ETHER + IP + bytes(i) for i in range(50)])
        self.tool("editcap", "-s", "50", "in", "cut")
        self.expect_same("cut", 50)

    def test_swapped_byte_order(self):
        frames = [ETHER + IP + bytes(i) for i in range(5)]
        with open(self.path("swapped"), "wb") as file:
            file.write(struct.pack(">IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
            for i, frame in enumerate(frames):
                file.write(struct.pack(">IIII", 1_700_000_000 + i, i, len(frame), len(frame) + i) + frame)
        self.expect_same("swapped", 5)

    def test_interfaces_with_other_snap_lengths(self):
        self.capture("a", [ETHER + IP + bytes(200)] * 4)
        self.capture("b", [ETHER + IP + bytes(100)] * 4, start=1_700_000_001)
        self.tool("editcap", "-s", "100", "b", "cut")
        # Of which an interface each is made, with the snap length of the file.
        with open(self.path("cut"), "rb") as file:
            self.assertEqual(file.read(4).hex(), "0a0d0d0a")
        self.tool("editcap", "-F", "pcap", "-s", "90", "b", "cut.pcap")
        self.tool("mergecap", "-I", "none", "-w", "merged", "a", "cut", "cut.pcap")
        self.assertIn("Number of interfaces in file: 3", self.tool("capinfos", "merged"))
        self.expect_same("merged", 12)

    def test_interfaces_with_other_link_types(self):
        self.capture("ether", [ETHER + IP + bytes(9)] * 3)
        self.capture("raw", [IP + bytes(20)] * 4, "-l", "101", start=1_700_000_001)
        self.tool("mergecap", "-a", "-w", "merged", "ether", "raw", "ether")
        ledger, errors = self.read("merged")
        self.assertEqual((ledger["created"], ledger["absorbed"], ledger["dropped"]), (10, 6, 4))
        self.assertIn("packets of interface 1 are IP, not ETHER as the first one", errors)
        self.assertEqual(errors.count("packets of interface"), 1)
        self.assertRegex(errors, r"other-link-type +4")
        # The remedy in the message.
        self.tool("tshark", "-r", "merged", "-Y", "frame.interface_id == 1", "-w", "one")
        self.expect_same("one", 4)
        # And all of them, as IPv4 packets, whatever is before their headers.
        result = self.run_headroom(
            "--report", "always", "-h", "c.count", "-h", "p.count", "-e",
            "FromDump(merged, STOP true, FORCE_IP true) -> c :: Counter -> StripToNetworkHeader"
            "-> CheckIPHeader -> p :: Counter -> ToDump(out.pcap, ENCAP IP)")
        self.assertEqual(result.stdout, "c.count:\n10\n\np.count:\n10\n\n")
        self.assertEqual(self.ledger(result.stderr)["dropped"], 0)
        self.assertEqual(self.tool("tshark", "-r", "out.pcap", "-T", "fields", "-e", "ip.dst", "-e",
                                   "udp.dstport").splitlines(), ["10.0.0.2\t53"] * 10)

    def test_encap_is_the_first_interfaces(self):
        self.capture("raw", [IP] * 2, "-l", "101")
        result = self.run_headroom("-h", "d.encap", "-e", "d :: FromDump(raw, STOP true) -> Discard")
        self.assertEqual(result.stdout, "IP\n")

    def test_truncated(self):
        self.capture("in", [ETHER + IP] * 10)
        for form in ("pcap", "pcapng"):
            self.tool("editcap", "-F", form, "in", "whole")
            with open(self.path("whole"), "rb") as whole, open(self.path("cut"), "wb") as cut:
                data = whole.read()
                cut.write(data[:len(data) * 2 // 3 - 1])
            ledger, errors = self.read("cut")
            self.assertIn("cut: truncated ", errors)
            self.assertRegex(errors, r"broken-file +1")
            self.assertEqual(ledger["dropped"], 1)
            self.assertEqual(ledger["absorbed"], len(self.packets("out.pcap")))
            self.assertGreater(ledger["absorbed"], 3)

    def test_without_packets(self):
        self.capture("in", [ETHER + IP])
        for form in ("pcap", "nsecpcap", "pcapng"):
            self.tool("editcap", "-F", form, "in", "none", "1")
            ledger, _ = self.read("none")
            self.assertEqual(ledger["created"], 0)
        self.write("empty", "")
        _, errors = self.read("empty", status=1)
        self.assertIn("empty: is empty: a capture without packets has a header, too", errors)

    def test_others_say_what_they_are(self):
        self.capture("in", [ETHER + IP])
        self.tool("editcap", "-F", "snoop", "in", "snoop")
        _, errors = self.read("snoop", status=1)
        self.assertIn("snoop: unknown file format, neither pcap nor pcapng; editcap FILE NEW", errors)
        self.tool("editcap", "snoop", "new")
        self.expect_same("new", 1)
        self.tool("gzip", "-k", "in")
        _, errors = self.read("in.gz", status=1)
        self.assertIn("in.gz: is compressed; zcat FILE |", errors)
        with subprocess.Popen(["zcat", self.path("in.gz")], stdout=subprocess.PIPE) as zcat:
            output = self.tool(HEADROOM, "-h", "c.count", "-e", "FromDump(-, STOP true) -> c :: Counter -> Discard",
                               stdin=zcat.stdout)
        self.assertEqual(output, "1\n")

    def test_file_positions(self):
        for form in ("pcap", "pcapng"):
            self.capture("in", [ETHER + IP] * 10)
            self.tool("editcap", "-F", form, "in", "converted")
            result = self.run_headroom(
                "-h", "d.filepos", "-e",
                "d :: FromDump(converted, END_AFTER 0.000004) -> Discard; Script(wait 0.2s, stop)")
            # One packet was looked at, to see that it is behind the end.
            position = int(result.stdout)
            self.assertEqual(self.read("converted", f", FILEPOS {position}")[0]["absorbed"], 5)
            _, errors = self.read("converted", f", FILEPOS {position + 1}", status=1)
            self.assertIn("FILEPOS: no packet begins at this place", errors)

    def test_end_call_from_another_worker(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.fail("this test needs two cores")
        self.capture("in", [ETHER + IP] * 100)
        for _ in range(3):
            result = self.run_headroom(
                "-j", "2", "-e",
                "d :: FromDump(in, STOP true, END_CALL s.run) -> c :: Counter -> Discard;"
                "s :: Script(TYPE PASSIVE, print c.count); Script(label x, wait 0.001s, set n $(c.count), goto x);"
                "StaticThreadSched(d 1)")
            self.assertEqual(result.stdout, "100\n")

    def test_what_is_written(self):
        self.capture("in", [ETHER + IP + bytes(100)] * 7)
        for arguments, size in (("USE_ENCAP_FROM d", 142), ("SNAPLEN 60, ENCAP ETHER", 60)):
            with self.subTest(arguments):
                self.run_headroom("-e", f"d :: FromDump(in, STOP true) -> ToDump(out.pcap, {arguments})")
                text = self.tool("capinfos", "out.pcap")
                self.assertRegex(text, r"File encapsulation: +Ethernet\n")
                self.assertRegex(text, r"File timestamp precision: +nanoseconds")
                self.assertRegex(text, r"Number of packets: +7\n")
                self.assertRegex(text, r"Data size: +994 bytes")
                self.assertEqual({packet[1:3] for packet in self.packets("out.pcap")}, {("142", str(size))})
        self.assertRegex(text, r"Packet size limit: +file hdr: 60 bytes")
        # A packet that was cut before is as long as it was, or as it is.
        self.tool("editcap", "-s", "50", "in", "cut")
        for arguments, length in (("", "142"), (", EXTRA_LENGTH false", "50")):
            self.run_headroom("-e", f"FromDump(cut, STOP true) -> ToDump(out.pcap{arguments})")
            self.assertEqual({packet[1:3] for packet in self.packets("out.pcap")}, {(length, "50")})
        self.run_headroom("-e", "FromDump(in, STOP true) -> Strip(14) -> ToDump(out.pcap, ENCAP IP)")
        self.assertRegex(self.tool("capinfos", "out.pcap"), r"File encapsulation: +Raw IP\n")

    def test_encaps_that_disagree(self):
        self.capture("ether", [ETHER + IP])
        self.capture("raw", [IP], "-l", "101")
        errors = self.run_headroom(
            "--diagnostics", "full", "-e",
            "a :: FromDump(ether) -> d :: ToDump(out.pcap, USE_ENCAP_FROM a b); b :: FromDump(raw) -> d",
            status=1).stderr
        self.assertIn("USE_ENCAP_FROM: 'a' has encap ETHER, but 'b' has IP", errors)
        self.assertFalse(os.path.exists(self.path("out.pcap")))


if __name__ == "__main__":
    main()
