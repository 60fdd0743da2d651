"""Elements outside the tree: installed headers, find_package(headroom), require(package odd)."""

import os
import re
import subprocess

from support import BUILD, HEADROOM, SOURCE, ProgramTest, main


class OutOfTree(ProgramTest):
    def command(self, *words):
        result = subprocess.run(words, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, f"{words}\n{result.stdout}\n{result.stderr}")

    def build(self):
        self.command("cmake", "--install", BUILD, "--prefix", self.path("prefix"))
        self.command("cmake", "-G", "Ninja", "-S", os.path.join(SOURCE, "docs/examples/odd"), "-B", self.path("build"),
                     f"-DCMAKE_PREFIX_PATH={self.path('prefix')}")
        self.command("cmake", "--build", self.path("build"))
        return self.path("prefix/bin/headroom")

    def run_example(self, program, package_path, status=0):
        result = subprocess.run(
            [program, os.path.join(SOURCE, "docs/examples/odd/odd.click"), "-h", "even.count",
             "--report", "always", "--diagnostics", "full"],
            capture_output=True, text=True, timeout=60,
            env={**os.environ, "HEADROOM_PACKAGE_PATH": package_path})
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def test_built_loaded_and_refused(self):
        program = self.build()
        result = self.run_example(program, self.path("build"))
        self.assertRegex(result.stderr, r"OddDrop@\d+ +odd-length +500")
        self.assertEqual(self.ledger(result.stderr)["dropped"], 500)
        # The same package works with the program of the build tree, whose ABI is the same.
        self.run_example(HEADROOM, self.path("build"))

        with open(self.path("build/odd.so"), "rb") as file:
            package = file.read()
        os.mkdir(self.path("other"))
        with open(self.path("other/odd.so"), "wb") as file:
            file.write(re.sub(rb"headroom-abi: version \d", b"headroom-abi: version X", package))
        errors = self.run_example(program, self.path("other"), status=1).stderr
        self.assertIn("requirement 'odd' not available", errors)
        self.assertIn("was built for another Headroom", errors)
        self.assertIn("it has ABI version X", errors)
        self.assertIn("rebuild it", errors)

        with open(self.path("other/odd.so"), "wb") as file:
            file.write(b"\x7fELF nothing")
        errors = self.run_example(program, self.path("other"), status=1).stderr
        self.assertIn("is not a Headroom package", errors)

        errors = self.run_example(program, "/nonexistent", status=1).stderr
        self.assertIn("no odd.so in", errors)

    def test_the_guide_shows_the_example(self):
        with open(os.path.join(SOURCE, "docs/writing-elements.md"), encoding="utf-8") as file:
            guide = file.read()
        for name in ("odd_drop.cc", "CMakeLists.txt", "odd.click"):
            with open(os.path.join(SOURCE, "docs/examples/odd", name), encoding="utf-8") as file:
                self.assertIn(file.read().strip(), guide, name)

    def test_the_example_is_short(self):
        with open(os.path.join(SOURCE, "docs/examples/odd/odd_drop.cc"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.read().splitlines()), 20)


if __name__ == "__main__":
    main()
