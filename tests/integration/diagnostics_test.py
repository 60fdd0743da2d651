"""What the program says about typical mistakes, word for word.

Every tests/data/diagnostics/NAME.click must give exactly NAME.txt. After a change of messages, read
what they have become, then write the files anew: HEADROOM_WRITE_EXPECTED=1 with this program.
"""

import os
import pathlib
import subprocess
import unittest

from support import HEADROOM, SOURCE, main

DATA = pathlib.Path(SOURCE, "tests", "data", "diagnostics")


def diagnose(name, form):
    result = subprocess.run([HEADROOM, "-q", f"--diagnostics={form}", f"{name}.click"], cwd=DATA,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


class Diagnostics(unittest.TestCase):
    maxDiff = None

    def test_full(self):
        names = sorted(path.stem for path in DATA.glob("*.click"))
        self.assertGreaterEqual(len(names), 20)
        for name in names:
            with self.subTest(name=name):
                status, output, errors = diagnose(name, "full")
                self.assertEqual((status, output), (1, ""))
                expected = DATA / f"{name}.txt"
                if os.environ.get("HEADROOM_WRITE_EXPECTED"):
                    expected.write_text(errors, encoding="utf-8")
                self.assertEqual(errors, expected.read_text(encoding="utf-8"))

    def test_plain_is_clicks(self):
        """No columns, source lines, hints or notes of expansion; element mistakes in a group."""
        _, _, errors = diagnose("11-inside-a-compound", "plain")
        self.assertEqual(errors,
                         "11-inside-a-compound.click:2: While configuring "
                         "'left/Marked@1/Paint@1 :: Paint':\n"
                         "  COLOR: parse error\n"
                         "11-inside-a-compound.click:5: While configuring "
                         "'right/Queue@2 :: Queue':\n"
                         "  CAPACITY: parse error\n"
                         "Router could not be initialized!\n")
        _, _, errors = diagnose("14-no-match", "plain")
        self.assertEqual(errors.splitlines()[:4],
                         ["14-no-match.click:5: no match for 'Shaped[2 arguments, 1 input, 1 output]'",
                          "14-no-match.click:5: candidates are:",
                          "14-no-match.click:5:   Shaped(<arg>)[1 input, 1 output]",
                          "14-no-match.click:5:   Shaped(<arg>, BURST)[1 input, 1 output]"])
        for path in DATA.glob("*.click"):
            with self.subTest(name=path.stem):
                status, _, errors = diagnose(path.stem, "plain")
                self.assertEqual(status, 1)
                self.assertNotRegex(errors, r"(?m)^ *\| |^hint: |: note: |: error: |\.click:\d+:\d+:")
                for line in errors.splitlines():
                    self.assertRegex(line, rf"^({path.name}:\d+: |  |'|agnostic '|Router )")


if __name__ == "__main__":
    main()
