"""Real peers: network namespaces, each a host with the kernel's own stack at one end of a veth pair.

The other ends stay in the namespace of the test, where the program under test attaches them.
"""

import json
import os
import signal
import subprocess
import time
import uuid

from support import ProgramTest


class Host:
    """A namespace with one interface, `eth`; its far end here is called `port`."""

    def __init__(self, name, port, mtu, queues):
        self.name = name
        self.port = port
        self.run("ip", "netns", "add", name)
        several = ["numrxqueues", str(queues), "numtxqueues", str(queues)]
        self.run("ip", "link", "add", port, *several, "type", "veth", "peer", "name", "eth", *several, "netns", name)
        for words in (["ip", "link", "set", port, "mtu", str(mtu), "up"],
                      ["ip", "-n", name, "link", "set", "eth", "mtu", str(mtu), "up"],
                      ["ip", "-n", name, "link", "set", "lo", "up"],
                      # Checksums are made where packets are, not by a card that is not there.
                      ["ethtool", "-K", port, "tx", "off"],
                      ["ip", "netns", "exec", name, "ethtool", "-K", "eth", "tx", "off"]):
            self.run(*words)

    @staticmethod
    def run(*words):
        result = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {result.stdout}{result.stderr}")
        return result.stdout

    def ip(self, *words):
        """`ip` in the namespace: "addr", "add", "10.0.0.1/24", "dev", "eth"."""
        return self.run("ip", "-n", self.name, *words)

    def start(self, *words, **kwargs):
        return subprocess.Popen(["ip", "netns", "exec", self.name, *words], text=True, **kwargs)

    def call(self, *words, timeout=60):
        """Runs a command there to its end; returns the completed process, whatever its status."""
        return subprocess.run(["ip", "netns", "exec", self.name, *words], capture_output=True, text=True,
                              timeout=timeout, check=False)

    def counters(self):
        """The kernel's counters of what its stack did, by name: IcmpInCsumErrors, TcpInCsumErrors, ..."""
        lines = self.call("cat", "/proc/net/snmp", "/proc/net/netstat").stdout.splitlines()
        counters = {}
        for names, values in zip(lines[::2], lines[1::2]):
            group, *names = names.split()
            counters |= {group.rstrip(":") + name: int(value) for name, value in zip(names, values.split()[1:])}
        return counters

    def mac(self):
        return json.loads(self.ip("-j", "link", "show", "eth"))[0]["address"]

    def close(self):
        pids = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True, check=False).stdout
        for pid in pids.split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        subprocess.run(["ip", "link", "del", self.port], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True, check=False)


class NetworkTest(ProgramTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.fail("this test needs root, for network namespaces")
        self.unique = uuid.uuid4().hex[:6]
        self.hosts = 0

    def host(self, address=None, mtu=1500, queues=1):
        """A host, with an address like 10.0.0.1/24 if one is given. Each end has so many queues each way."""
        self.hosts += 1
        host = Host(f"h{self.unique}{self.hosts}", f"v{self.unique}{self.hosts}", mtu, queues)
        self.addCleanup(host.close)
        if address:
            host.ip("addr", "add", address, "dev", "eth")
        return host

    def start_router(self, config, *arguments):
        """The program with workers that sleep when idle, so that two cores suffice for the peers too."""
        return self.start_headroom("-e", config, "--set", "workers.idle=sleep", *arguments)

    def wait_until_up(self, host, address):
        """Until a ping from the host to the address comes back."""
        for _ in range(100):
            if host.call("ping", "-n", "-c", "1", "-W", "0.2", address).returncode == 0:
                return
        self.fail(f"no ping from {host.name} to {address} came back")

    def wait_for_listener(self, host, port):
        for _ in range(100):
            if f":{port} " in host.call("ss", "-Hltn").stdout:
                return
            time.sleep(0.1)
        self.fail(f"nothing listens on port {port} of {host.name}")

    def assert_ping(self, host, address, *options, count=3):
        result = host.call("ping", "-n", "-c", str(count), "-i", "0.2", "-W", "3", *options, address)
        self.assertIn(f" {count} received", result.stdout, result.stdout + result.stderr)
        return result.stdout
