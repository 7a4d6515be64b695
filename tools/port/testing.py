"""For the tests of the port: trees from dictionaries, and what becomes of them."""
import os
import subprocess
import sys
import tempfile
import unittest

from port.checkout import Checkout
from port.port import Options, Port
from port.source_tree import SourceTree

_SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))),
                       "port_from_mediapipe")
# A checkout in miniature, so that a test says all that it depends on.
CHECKOUT = {
    "framework/calculator_framework.h": "",
    "framework/calculator_graph.h": "",
    "framework/packet.h": "",
    "framework/port.h": "",
    "framework/subgraph.h": "",
    "framework/calculator.proto": "",
    "framework/calculator_options.proto": "",
    "framework/syncline_options.proto": "",
    "framework/deps/no_destructor.h": "",
    "framework/port/overload.h": "",
    "framework/port/parse_text_proto.h": "",
    "framework/port/source_location.h": "",
    "framework/port/status.h": "",
    "framework/port/status_macros.h": "",
    "framework/port/status_matchers.h": "",
    "framework/tool/sink.h": "",
    "framework/BUILD": "".join(f'cc_library(name = "{name}", hdrs = ["{name}.h"])\n' for name in (
        "calculator_framework", "calculator_graph", "calculator_options_proto", "calculator_proto",
        "port", "subgraph", "syncline_options_proto")),
    "framework/port/BUILD": 'cc_library(name = "status")\ncc_library(name = "gtest_main")\n',
    "framework/port/build_config.bzl": "def syncline_proto_library(name):\n    pass\n",
    "calculators/core/pass_through_calculator.cc": "REGISTER_CALCULATOR(PassThroughCalculator);\n",
    "calculators/core/BUILD": 'cc_library(name = "pass_through_calculator")\n',
    "third_party/system/system_library.bzl": (
        '_ABSL = {\n    "strings": ["str_format", "strings"],\n    "memory": ["memory"],\n}\n'),
    "third_party/repositories.bzl": 'x(name = "com_google_absl")\nx(name = "eigen")\n',
}


def write_files(root, files):
    """Writes {path: text or bytes} below `root`."""
    for path, content in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        with open(full, "wb") as file:
            file.write(data)


class PortCase(unittest.TestCase):
    """A test with folders of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.realpath(folder.name)

    def port(self, files, place=None, at=None, checkout=None, **options):
        """{path: Result} of a tree of these files."""
        root = tempfile.mkdtemp(dir=self.root)
        source, tree = os.path.join(root, "source"), os.path.join(root, "syncline")
        write_files(source, files)
        write_files(tree, {**CHECKOUT, **(checkout or {})})
        port = Port(SourceTree(source, place, at), Checkout(tree), Options(at=at, **options))
        return {result.path: result for result in port.run()}

    def port_cpp(self, text, name="mediapipe/acme/a.cc", **options):
        """What becomes of one C++ file."""
        return self.port({name: text}, **options)[name].new

    def findings(self, text, name="mediapipe/acme/a.cc", **options):
        """[(line, hand, text)] of one file."""
        return [tuple(f) for f in self.port({name: text}, **options)[name].findings]

    def assert_ports(self, text, expected, **options):
        """`text` becomes `expected`, and that stays as it is."""
        self.assertEqual(self.port_cpp(text, **options), expected)
        self.assertEqual(self.port_cpp(expected, "acme/a.cc", **options), expected)


class CommandCase(PortCase):
    """A test of the command, with folders of its own."""

    def run_port(self, *arguments):
        """The exit status; what it printed is in `out` and `err`."""
        done = subprocess.run([sys.executable, _SCRIPT, *arguments], cwd=self.root,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        self.assertNotIn("Traceback", self.err)
        return done.returncode

    def files(self, folder):
        """path -> bytes of all files below a folder."""
        found = {}
        for top, _, names in os.walk(os.path.join(self.root, folder)):
            for name in names:
                path = os.path.join(top, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, os.path.join(self.root, folder))] = file.read()
        return found

    def tree(self, files, folder="mp"):
        write_files(os.path.join(self.root, folder), files)
