"""scripts/bind_nic.sh on a picture of a machine, with a thread that does what the kernel would."""

import os
import shutil
import subprocess
import threading
import time
import unittest

from fake_machine import FakeMachine
from support import SOURCE, ProgramTest, main

SCRIPT = os.path.join(SOURCE, "scripts", "bind_nic.sh")
USED, FREE = "0000:03:00.0", "0000:04:00.0"


class Kernel(threading.Thread):
    """Answers what is written to `unbind` and `drivers_probe`. Cards without an override get ixgbe."""

    def __init__(self, machine):
        super().__init__(daemon=True)
        self.machine = machine
        self.ended = False
        self.asked = []  # (file, what was written)

    def take(self, name):
        # Files of a driver that is just being made may not be there yet.
        written = os.path.exists(self.machine.path(name)) and self.machine.read(name)
        if written:
            self.machine.write(name, "")
            self.asked.append((name, written))
        return written

    def run(self):
        while not self.ended:
            for driver in os.listdir(self.machine.path("sys/bus/pci/drivers")):
                if address := self.take(f"sys/bus/pci/drivers/{driver}/unbind"):
                    os.unlink(self.machine.path(f"sys/bus/pci/devices/{address}/driver"))
            if address := self.take("sys/bus/pci/drivers_probe"):
                card = f"sys/bus/pci/devices/{address}"
                driver = self.machine.read(f"{card}/driver_override")
                driver = "ixgbe" if driver in ("", "(null)") else driver
                self.machine.link(f"{card}/driver", f"../../drivers/{driver}")
            time.sleep(0.01)


class BindNic(ProgramTest):
    def setUp(self):
        super().setUp()
        self.start(FakeMachine(self.path("machine")))

    def start(self, machine):
        self.machine = machine
        for card in (USED, FREE):
            # `driver` leads to a directory, as in sysfs.
            self.machine.link(f"sys/bus/pci/devices/{card}/driver", "../../drivers/ixgbe")
        self.kernel = Kernel(machine)
        self.kernel.start()
        self.addCleanup(self.kernel.join)
        self.addCleanup(setattr, self.kernel, "ended", True)

    def call(self, *words, status=0):
        result = subprocess.run([SCRIPT, *words], env={**os.environ, "HEADROOM_ROOT": self.machine.root},
                                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def driver(self, card):
        link = self.machine.path(f"sys/bus/pci/devices/{card}/driver")
        return os.path.basename(os.readlink(link)) if os.path.islink(link) else None

    def override(self, card):
        return self.machine.read(f"sys/bus/pci/devices/{card}/driver_override")

    def test_show(self):
        result = self.call("show")
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, rf"(?m)^{USED} +ixgbe +eth0 +up 10000 Mb/s +0 +default route, addresses$")
        self.assertRegex(result.stdout, rf"(?m)^{FREE} +ixgbe +eth1 +up 10000 Mb/s +0 +-$")

    def test_bind_and_undo(self):
        result = self.call("bind", FREE)
        self.assertEqual(result.stderr, "")
        self.assertIn("is bound to vfio-pci, was bound to ixgbe", result.stdout)
        self.assertEqual((self.driver(FREE), self.override(FREE)), ("vfio-pci", "vfio-pci"))
        self.assertEqual(self.driver(USED), "ixgbe")
        self.assertIn("was bound to ixgbe", self.call("show").stdout)
        self.assertIn("already", self.call("bind", FREE).stdout)
        self.call("undo", FREE)
        self.assertEqual((self.driver(FREE), self.override(FREE)), ("ixgbe", ""))
        self.assertIn("nothing is remembered", self.call("undo", FREE, status=1).stderr)
        self.assertEqual(self.call("undo").stdout, "nothing to undo\n")

    def test_undo_restores_the_override_and_no_driver(self):
        os.makedirs(self.machine.path("sys/bus/pci/drivers/mine"))
        self.machine.write("sys/bus/pci/drivers/mine/unbind", "")
        self.machine.link(f"sys/bus/pci/devices/{FREE}/driver", "../../drivers/mine")
        self.machine.write(f"sys/bus/pci/devices/{FREE}/driver_override", "mine\n")
        os.unlink(self.machine.path(f"sys/bus/pci/devices/{USED}/driver"))
        self.machine.write("proc/net/route", "")
        for card in (FREE, USED):
            self.call("bind", card)
            self.assertEqual(self.driver(card), "vfio-pci")
        self.call("undo")
        self.assertEqual((self.driver(FREE), self.override(FREE)), ("mine", "mine"))
        self.assertEqual((self.driver(USED), self.override(USED)), (None, ""))

    def test_short_address_and_unbind(self):
        self.call("bind", FREE[5:])
        self.assertEqual(self.driver(FREE), "vfio-pci")
        self.call("unbind", FREE)
        self.assertEqual((self.driver(FREE), self.override(FREE)), ("ixgbe", ""))

    def test_refuses_what_the_system_uses(self):
        result = self.call("bind", USED, status=1)
        self.assertIn(f"the system uses {USED} (eth0: default route, addresses)", result.stderr)
        self.assertEqual((self.driver(USED), self.kernel.asked), ("ixgbe", []))
        self.assertIn("the system loses eth0", self.call("bind", USED, "--force").stderr)
        self.assertEqual(self.driver(USED), "vfio-pci")
        for name, text in (("proc/net/if_inet6", "20010db8000000000000000000000001 02 40 00 80 eth1\n"),
                           ("proc/net/ipv6_route", f"{'0' * 32} 00 {'0' * 32} 00 {'0' * 32} 400 1 0 3 eth1\n")):
            self.machine.write(name, text)
            self.assertIn("IPv6", self.call("bind", FREE, status=1).stderr)
            self.machine.write(name, "")
        self.machine.link("sys/class/net/eth1/master", "../br0")
        self.assertIn("part of br0", self.call("bind", FREE, status=1).stderr)

    def test_without_iommu(self):
        shutil.rmtree(self.machine.path("sys/class/iommu"))
        self.assertIn("uses no IOMMU", self.call("bind", FREE, status=1).stderr)
        self.assertEqual(self.driver(FREE), "ixgbe")
        self.assertIn("can write anywhere", self.call("bind", FREE, "--noiommu").stderr)
        self.assertEqual(self.machine.read("sys/module/vfio/parameters/enable_unsafe_noiommu_mode"), "1")
        self.assertEqual(self.driver(FREE), "vfio-pci")

    def test_neighbours_of_the_group(self):
        for card in (USED, FREE):
            self.machine.link(f"sys/kernel/iommu_groups/13/devices/{card}", f"../../../../bus/pci/devices/{card}")
        self.assertIn(f"{USED} is in the same IOMMU group", self.call("bind", FREE).stderr)

    def test_mistakes(self):
        for words, said in ((["bind", "eth1"], "is no PCI address"),
                            (["bind", "0000:09:00.0"], "there is no network card at 0000:09:00.0"),
                            (["bind", FREE, "--driver", "e1000"], "is none of"),
                            (["bind", FREE, "--driver", "igb_uio"], "modprobe igb_uio"),
                            (["bind"], "usage:"), ([], "usage:"), (["show", "--all"], "unknown option")):
            with self.subTest(words=words):
                self.assertIn(said, self.call(*words, status=1).stderr)
        self.assertEqual(self.kernel.asked, [])


if __name__ == "__main__":
    main()
