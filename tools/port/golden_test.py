"""testdata/original, ported, is testdata/ported, which Bazel compiles and runs.

After a change of the rules:
  tools/port_from_mediapipe tools/port/testdata/original \
      --output=tools/port/testdata/ported --overwrite
"""
import os
import re
import unittest

from port.checkout import Checkout, read_text
from port.port import Options, Port
from port.source_tree import SourceTree
from port.testing import CommandCase

_HERE = os.path.dirname(os.path.realpath(__file__))
_ROOT = os.path.dirname(os.path.dirname(_HERE))
_PORTED = os.path.join(_HERE, "testdata/ported")


def _files(folder):
    return {os.path.relpath(os.path.join(top, name), folder)
            for top, _, names in os.walk(folder) for name in names}


def _text(folder, path):
    """The file; a BUILD file without its deps on the framework, since which of
    them have to be added changes with the deps of the framework itself."""
    text = read_text(os.path.join(folder, path))
    return re.sub(r'^ *"//framework[/:\w]*",\n', "", text, flags=re.M) \
        if path.endswith("BUILD") else text


class GoldenTest(CommandCase):

    def port_into(self, source, output):
        """Ports `source` for where testdata/ported is; returns the results."""
        tree = SourceTree(os.path.join(_HERE, source))
        tree.at = "tools/port/testdata/ported"
        port = Port(tree, Checkout(_ROOT), Options())
        results = list(port.run())
        for result in results:
            port.write(result, output)
        return results

    def assert_same(self, output):
        self.assertEqual(_files(output), _files(_PORTED))
        for path in sorted(_files(output)):
            self.assertEqual(_text(output, path), _text(_PORTED, path), path)

    def test_the_original_becomes_what_is_compiled(self):
        output = os.path.join(self.root, "output")
        results = self.port_into("testdata/original", output)
        self.assertEqual([(r.path, f) for r in results for f in r.findings if f.hand], [])
        self.assert_same(output)

    def test_what_is_compiled_stays_as_it_is(self):
        output = os.path.join(self.root, "output")
        results = self.port_into("testdata/ported", output)
        self.assertEqual([r.path for r in results if r.rules], [])
        self.assert_same(output)

    def test_a_tree_of_200_files_takes_less_than_20_seconds(self):
        original = os.path.join(_HERE, "testdata/original/mediapipe/acme")
        for copy in range(12):
            self.tree({f"acme{copy}/{path}": read_text(os.path.join(original, path)).replace(
                "mediapipe/acme", f"mediapipe/acme{copy}") for path in _files(original)},
                      "mp/mediapipe")
        self.assertGreaterEqual(len(self.files("mp")), 200)
        before = os.times()
        self.assertEqual(self.run_port("mp"), 0, self.out[-2000:])
        after = os.times()
        # The processor's time, since others may be at work on this machine.
        self.assertLess(after.children_user + after.children_system -
                        before.children_user - before.children_system, 20)


if __name__ == "__main__":
    unittest.main()
