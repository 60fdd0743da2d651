"""The README stays true: every command in it is run, from the top of the tree, in its order."""

import os
import re
import subprocess
import unittest

from support import SOURCE

# test.sh is what runs this test.
ALREADY_RUNNING = {"scripts/test.sh"}


def commands():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    for block in re.findall(r"```sh\n(.*?)```", text, re.S):
        for line in block.splitlines():
            command = re.sub(r"\s{2,}#.*", "", line).strip()
            if command:
                yield command


class Readme(unittest.TestCase):
    def test_every_command(self):
        found = list(commands())
        self.assertEqual(found[:2], ["scripts/demo.sh", "scripts/test.sh"])
        for command in found:
            if command in ALREADY_RUNNING:
                continue
            with self.subTest(command=command):
                result = subprocess.run(["bash", "-c", command], cwd=SOURCE, capture_output=True, text=True,
                                        timeout=500, stdin=subprocess.DEVNULL)
                self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
                print(command, "->", (result.stdout or result.stderr).strip().splitlines()[-1:])

    def test_links(self):
        documents = ["README.md"] + [f"docs/{name}" for name in os.listdir(os.path.join(SOURCE, "docs"))
                                     if name.endswith(".md")]
        for root in documents:
            path = os.path.join(SOURCE, root)
            with open(path, encoding="utf-8") as file:
                for target in re.findall(r"\]\(([^)#:]+)\)", file.read()):
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)),
                                    f"{root}: {target}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
