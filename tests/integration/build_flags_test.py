"""The flags that everything is compiled with."""

import json
import os
import re
import unittest

from support import BUILD


class Flags(unittest.TestCase):
    def test_the_target_is_ours(self):
        # DPDK's pkg-config says -march=corei7, and of several the last one wins.
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            commands = json.load(file)
        self.assertGreater(len(commands), 50)
        for command in commands:
            targets = re.findall(r"-march=(\S+)", command["command"])
            self.assertIn(targets, (["x86-64-v3"], ["native"]), command["file"])
            self.assertIn("-fno-strict-aliasing", command["command"], command["file"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
