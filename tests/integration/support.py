"""What the tests of the program share: running it, and pieces of configuration.

The environment names what is under test: HEADROOM (the program), HEADROOM_SOURCE (the tree) and
HEADROOM_BUILD (the build directory).
"""

import os
import re
import signal
import struct
import subprocess
import tempfile
import time
import unittest

HEADROOM = os.environ["HEADROOM"]
SOURCE = os.environ["HEADROOM_SOURCE"]
BUILD = os.environ["HEADROOM_BUILD"]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="headroom-test-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        os.chmod(self.directory, 0o755)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def write_pcap(self, name, frames):
        with open(self.path(name), "wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
            for i, frame in enumerate(frames):
                file.write(struct.pack("<IIII", 1000 + i, i, len(frame), len(frame)) + frame)
        return self.path(name)

    def run_headroom(self, *arguments, status=0, timeout=60, user=None, **kwargs):
        """Runs the program to its end and checks its exit status."""
        command = [HEADROOM, *arguments]
        if user is not None:
            command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, cwd=self.directory,
            stdin=subprocess.DEVNULL if "input" not in kwargs else None, **kwargs)
        self.assertEqual(result.returncode, status, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def start_headroom(self, *arguments):
        process = subprocess.Popen(
            [HEADROOM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL, cwd=self.directory)
        self.addCleanup(process.kill)
        return process

    def stop_headroom(self, process, number=signal.SIGTERM, after=1.0, status=0):
        """Lets the program run for a while, ends it by a signal, and checks its exit status."""
        self.wait_for_handler(process, number)
        time.sleep(after)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, f"{output}\n{errors}")
        return output, errors

    def wait_for_handler(self, process, number):
        """Until the program catches the signal; on a busy machine its start takes a while."""
        for _ in range(600):
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                caught = re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M)
            if caught and int(caught[1], 16) >> (number - 1) & 1:
                return
            time.sleep(0.1)
        self.fail("the program never caught the signal")

    def ledger(self, report):
        """The ledger line of a final table as a dictionary; it must be balanced."""
        match = re.search(r"Ledger: ([\d,]+) created, ([\d,]+) dropped, ([\d,]+) absorbed, "
                          r"([\d,]+) held: balanced", report)
        self.assertIsNotNone(match, report)
        created, dropped, absorbed, held = (int(n.replace(",", "")) for n in match.groups())
        self.assertEqual(created, dropped + absorbed + held, report)
        return {"created": created, "dropped": dropped, "absorbed": absorbed, "held": held}


def main():
    unittest.main(verbosity=2)
