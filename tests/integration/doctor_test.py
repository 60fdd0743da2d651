"""What `headroom doctor` says of machines, word for word, and of the real one.

Every situation must give exactly tests/data/doctor/NAME.txt. After a change of messages, read what
they have become, then write the files anew: HEADROOM_WRITE_EXPECTED=1 with this program.
"""

import json
import os
import pathlib
import subprocess
import unittest

from fake_machine import FakeMachine
from network import NetworkTest
from support import SOURCE, ProgramTest, main

DATA = pathlib.Path(SOURCE, "tests", "data", "doctor")
NOBODY = 65534
CARD = "ports: { wan: { pci: '0000:04:00.0' } }\nworkers: { cores: [2] }\n"


class Situations(ProgramTest):
    maxDiff = None

    def doctor(self, name, status, system=CARD, user=None, **machine):
        fake = machine.pop("fake", None) or FakeMachine(self.path("machine"), **machine)
        os.chmod(self.directory, 0o755)
        result = self.run_headroom("doctor", "--root", fake.root, "--system",
                                   self.write("system.yaml", system), status=status, user=user)
        self.assertEqual(result.stderr, "")
        expected = DATA / f"{name}.txt"
        if os.environ.get("HEADROOM_WRITE_EXPECTED"):
            expected.parent.mkdir(exist_ok=True)
            expected.write_text(result.stdout, encoding="utf-8")
        self.assertEqual(result.stdout, expected.read_text(encoding="utf-8"))
        return result.stdout

    def bound(self, **machine):
        fake = FakeMachine(self.path("machine"), **machine)
        fake.bind_to_vfio("0000:04:00.0")
        return fake

    def test_healthy(self):
        text = self.doctor("healthy", 0, fake=self.bound())
        self.assertNotRegex(text, r"(?m)^  (warning|error) ")

    def test_cores_of_the_other_socket(self):
        fake = self.bound()
        fake.write("sys/devices/system/node/node0/cpulist", "0-1\n")
        fake.write("sys/devices/system/node/node1/cpulist", "2-3\n")
        text = self.doctor("other-socket", 0, CARD.replace("[2]", "[1, 2, 3]"), fake=fake)
        self.assertIn("is at socket 0, and cores of another one receive from it: 2, 3", text)

    def test_no_hugepages(self):
        text = self.doctor("no-hugepages", 1, CARD + "eal: { hugepages: 'on' }\n", fake=self.bound(hugepages=0))
        self.assertIn("no hugepages are reserved", text)
        self.assertRegex(text, r"do:  echo \d+ > /proc/sys/vm/nr_hugepages")

    def test_no_permission(self):
        if os.geteuid() != 0:
            self.fail("this test needs root, to become another user")
        text = self.doctor("no-permission", 1, user=NOBODY,
                           fake=self.bound(user=NOBODY, capabilities=0, locked=8 << 20))
        self.assertIn("not permitted to open /dev/vfio/13", text)
        self.assertIn("prlimit", text)

    def test_wrong_driver(self):
        text = self.doctor("wrong-driver", 1)
        self.assertIn("0000:04:00.0 has the wrong driver, ixgbe", text)
        self.assertIn("do:  scripts/bind_nic.sh bind 0000:04:00.0", text)

    def test_port_in_use_by_a_program(self):
        fake = self.bound()
        fake.add_process(4711, "testpmd", "/dev/vfio/13")
        self.assertIn("in use by testpmd (process 4711)", self.doctor("port-in-use", 1, fake=fake))

    def test_port_in_use_by_the_system(self):
        text = self.doctor("port-of-the-system", 1, "ports: { wan: { pci: '0000:03:00.0' } }\n")
        self.assertIn("the system uses 0000:03:00.0: eth0 (default route, addresses)", text)

    def test_too_little_memory(self):
        text = self.doctor("too-little-memory", 1, fake=self.bound(hugepages=0, available_kb=32 << 10))
        self.assertIn("too little memory", text)

    def test_without_iommu(self):
        fake = FakeMachine(self.path("machine"), iommu=False, hugepages=0)
        card = "sys/bus/pci/devices/0000:04:00.0"
        fake.link(f"{card}/iommu_group", "../../../../kernel/iommu_groups/0")
        fake.link(f"{card}/driver", "../../drivers/vfio-pci")
        os.rmdir(fake.path(f"{card}/net/eth1"))
        fake.write("dev/vfio/noiommu-0", "")
        fake.write("sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "Y\n")
        text = self.doctor("no-iommu", 1, fake=fake)
        self.assertIn("only hugepages stay where they are", text)

    def test_json(self):
        fake = FakeMachine(self.path("machine"))
        found = json.loads(self.run_headroom("doctor", "--json", "--root", fake.root, "--system",
                                             self.write("system.yaml", CARD), status=1).stdout)
        errors = [one for one in found if one["level"] == "error"]
        self.assertEqual([one["remedy"] for one in errors], ["scripts/bind_nic.sh bind 0000:04:00.0"])
        self.assertIn("--json is an option of doctor", self.run_headroom("check", "--json", status=1).stderr)


class RealMachine(NetworkTest):
    """What doctor says must be what a run meets."""

    def test_default_machine(self):
        self.assertIn("would start", self.run_headroom("doctor").stdout)

    def agrees(self, system, config, status, user=None, said=""):
        os.chmod(self.directory, 0o755)
        path = self.write("system.yaml", system)
        words = ["--system", path, "-q", "-e", config]
        self.run_headroom(*words, status=status, user=user)
        self.assertIn(said, self.run_headroom("doctor", "--system", path, "-e", config, status=status,
                                              user=user).stdout)

    def test_agrees_with_a_run(self):
        forward = "FromPort(in) -> Discard"
        self.agrees("ports: { in: { vdev: net_null0 } }", forward, 0)
        self.agrees("ports: { in: { interface: lo } }", forward, 1, user=NOBODY, said="not permitted to open")
        self.agrees("ports: { in: { interface: nothing0 } }", forward, 1, said="there is no interface 'nothing0'")
        self.agrees("ports: { in: { pci: '0000:7f:1f.7' } }", forward, 1, said="there is no network card")
        self.agrees("ports: { in: { vdev: 'net_pcap0,rx_pcap=no.pcap' } }", forward, 1, said="No such file")
        self.agrees("workers: { count: 100 }", "Idle", 1, said="this process may use")
        self.agrees("ports: { in: { vdev: net_null0 } }\npools: { packets: 800 }", forward, 1,
                    said="pools.packets is 800")
        self.agrees("ports: { in: { vdev: net_null0 } }\npools: { packets: 99000000 }", forward, 1,
                    said="too little memory")

    def test_interface_of_a_peer(self):
        port = self.host("10.0.0.2/24").port
        self.agrees(f"ports: {{ in: {{ interface: {port} }} }}", "FromPort(in) -> Discard", 0,
                    said=f"interface {port} is there")
        subprocess.run(["ip", "address", "add", "10.9.0.1/24", "dev", port], check=True)
        self.agrees(f"ports: {{ in: {{ interface: {port} }} }}", "FromPort(in) -> Discard", 0,
                    said=f"warning  port 'in': the system uses {port}")

    def test_mistakes_of_the_configuration(self):
        self.assertIn("undeclared element 'Idel'", self.run_headroom("doctor", "-e", "Idel", status=1).stderr)


if __name__ == "__main__":
    main()
