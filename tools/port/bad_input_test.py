"""What is no tree of good files: a line of the report each, and never a stack trace."""
import os
import subprocess
import time
import unittest
from unittest import mock

from port import cycles, shown
from port.source_tree import SourceTree
from port.testing import CommandCase, PortCase

_DEEP = 1005  # Python calls functions within functions up to 1000 deep


class SyntaxTest(PortCase):

    def check(self, name, text):
        """(line, text) of each thing to do in one file."""
        result = self.port({f"mediapipe/acme/{name}": text})[f"mediapipe/acme/{name}"]
        return [(f.line, f.text.split(":")[0]) for f in result.findings if f.hand]

    def test_what_is_not_closed_is_reported_with_its_line(self):
        for name, text, line, what in (
                ("a.cc", "int a;\n\nint f() {\n  g();\n", 3, '"{" is not closed'),
                ("a.cc", "int a;\n}\n", 2, '"}" closes nothing'),
                ("a.h", "f(\n{ g(1; }\n);\n", 2, '"(" is not closed'),
                ("a.cc", 'int a;\nconst char* b = "c;\n', 2, "a string is not closed"),
                ("a.cc", 'auto a = R"pb(\n{\n', 1, "a raw string is not closed"),
                ("a.cc", "int a;\n/* {\n", 2, "a comment is not closed"),
                ("a.cc", "int a;\n/*/\n", 2, "a comment is not closed"),
                ("a.cc", "#if A\n#else\nint a;\n", 1, "#if without an #endif"),
                ("a.cc", "int a;\n#endif\n", 2, "#endif without an #if"),
                ("a.cc", "#else\n", 1, "#else without an #if"),
                ("a.proto", 'syntax = "proto2";\nmessage A {\n', 2, '"{" is not closed'),
                ("a.pbtxt", "node {\n  options { a: 1 }\n", 1, '"{" is not closed'),
                ("a.pbtxt", "node {\n  calculator: 'A\n}\n", 2, "a string is not closed"),
                ("BUILD", 'cc_library(name = "a")\nf(]\n', 2, "cannot be read as a BUILD file from"
                 " here on")):
            self.assertEqual(self.check(name, text), [(line, what)], text)

    def test_good_files_have_nothing_to_mend(self):
        for name, text in (
                ("a.cc", "#if A\nint f() {\n#else\nint g() {\n#endif\n}\n"),
                ("a.cc", "#define OPEN {\nint a;\n"),
                ("a.cc", "#define CLOSE \\\n  }\nint a;\n"),
                ("a.cc", "#error don't \"do this\n"),
                ("a.cc", "#if 0\nint f( { \" \n#endif\n"),
                ("a.cc", "auto a = R\"x({)\" \"})x\"; char b = '{'; auto c = \"}\"; // {\n"),
                ("a.cc", "auto a = R\"pb({)pb\"_x; int b = 1'000; /**/ /* ( */\n"),
                ("a.inc", "{1, 2\n"),
                ("a.pbtxt", "node { a: '}' b: \"\\\"{\" } # {\n"),
                ("a.pbtxt", "% if (a < 'b') { %\nnode {\n"),
                ("a.proto", "message A { // {\n  optional string a = 1 [default = '}'];\n}\n")):
            self.assertEqual(self.check(name, text), [], text)

    def test_the_rest_of_a_broken_file_is_ported(self):
        name = "mediapipe/acme/a.cc"
        self.assertEqual(self.port_cpp("mediapipe::A a;\n{\n", name), "syncline::A a;\n{\n")


class StarlarkTest(PortCase):

    def check(self, text, name="BUILD"):
        """(line, what) of each thing to do in one file."""
        result = self.port({f"mediapipe/acme/{name}": text})[f"mediapipe/acme/{name}"]
        return [(f.line, f.text.split(":")[0]) for f in result.findings if f.hand]

    def test_python_that_bazel_does_not_load_has_a_line_each(self):
        for text, what in (
                ("class X:\n  pass\n", "a class"), ("import os\n", "import"),
                ("from a import b\n", "import"), ("while True: pass\n", "while"),
                ("with a: pass\n", "with"), ("try:\n  x = 1\nexcept: pass\n", "try"),
                ("x = lambda: 1\n", "lambda"), ("x = {1, 2}\n", "a set"),
                ("x = list(i for i in [1])\n", "a generator"), ('x = f"a"\n', "an f-string"),
                ("x = 1 is not 2\n", "is not"), ("x = 1 < 2 < 3\n", "a chain of comparisons"),
                ("x = 2 ** 3\n", "**"), ("x: int = 1\n", "a type"), ("a = b = 1\n", "two assignments"
                 " in one"), ("x = [*[1], 2]\n", "* in a list"), ("x = {**{}}\n", "** in a dict"),
                ("match x:\n    case 1: pass\n", "match"), ("x = 1_000\n", "_ in a number"),
                ("\u00e4 = 1\n", "a name that is not of ASCII"),
                ('x = u"a"\n', 'a string that begins with "u"'),
                ('x = b"a"\n', 'a string that begins with "b"'),
                ('print("a" "b")\n', "a string right after another, without a +"),
                ('x = "\\d"\n', "an escape that Bazel does not know")):
            for name in ("BUILD", "a.bzl"):
                self.assertIn((1, what), self.check(text, name), text)

    def test_the_line_is_that_of_the_place(self):
        self.assertEqual(self.check('x = [\n    "a",  # b\n    "c"\n    # d\n    "e",\n]\n'),
                         [(5, "a string right after another, without a +")])
        self.assertEqual(self.check('x = """\n\n\\d"""\n'),
                         [(3, "an escape that Bazel does not know")])

    def test_what_a_bzl_file_has_and_no_build_file(self):
        for text, what in (
                ("def f():\n    pass\n", "def"), ("for i in [1]:\n    print(i)\n", "a for statement"),
                ("if True:\n    x = 1\n", "an if statement"),
                ("cc_library(*[1])\n", "* or ** among arguments"),
                ('cc_library(**{"name": "a"})\n', "* or ** among arguments")):
            self.assertIn((1, what + " in a BUILD file"), self.check(text))
        bzl = ("def f(a, *b, **c):\n    for i in b:\n        if i:\n            continue\n"
               "    return g(*b, **c)\n")
        self.assertEqual(self.check(bzl, "a.bzl"), [])
        self.assertEqual(self.check("for i in [1]:\n    f(i)\ndef f():\n    def g():\n        pass\n",
                                    "a.bzl"),
                         [(1, "a for statement outside of a function"), (4, "def within another")])

    def test_what_no_bzl_file_has(self):
        for text, line, what in (
                ("def f() -> int:\n    return 1\n", 1, "a type"),
                ("def f(a: int):\n    return a\n", 1, "a type"),
                ("def f():\n    for i in []:\n        g(i)\n    else:\n        g(1)\n", 2,
                 "else of a for statement"),
                ('def f():\n    load("//a:b.bzl", "c")\n', 2, "a load() within another statement"),
                ('x = 1\nload("//mediapipe/framework/port:build_config.bzl", '
                 '"mediapipe_proto_library")\n', 2, "a load() after another statement"),
                ("x = 1\ndef x():\n    pass\n", 2, "a second value for a name"),
                ("x = 1\nx += 1\n", 2, "a second value for a name")):
            self.assertEqual(self.check(text, "a.bzl")[:1], [(line, what)], text)
        self.assertEqual(self.check(
            '"""A."""\nload("//mediapipe/framework/port:build_config.bzl", '
            '"mediapipe_proto_library")\nx = 1\ndef f():\n    x = 2\n    return x\n', "a.bzl"), [])

    def test_starlark_has_nothing_to_mend(self):
        for text in ('"""A."""\nx = [i + "\\n\\t\\"\\101" for i in ["a"] if i not in x]\n',
                     'x = r"\\d" + \'\\\\\\\'\'\ny = 1 if x else {"a": -1}[x][::2]\n',
                     'x = ("a" +\n     "b")\nx += "c\\\nd"\n(a, b) = [1.5, 4 // 2]\n'):
            self.assertEqual(self.check(text), [], text)

    def test_many_places_have_a_line_together(self):
        found = self.check('x = "a" "b"\n' * 500)
        self.assertEqual(found[-1], (21, "and 480 more of the like"))
        self.assertEqual(len(found), 21)

    def test_a_load_says_what_it_loads_of_which_bzl_file(self):
        for load, what in (('load("//a:b.bzl")', "it says what to load"), ("load()", "it takes strings"),
                           ('load("/etc/passwd", "a")', '"/etc/passwd" is no label'),
                           ('load("//a:b.txt", "a")', '"//a:b.txt" is no .bzl file')):
            result = self.port({"mediapipe/acme/BUILD": load + "\n"})["mediapipe/acme/BUILD"]
            (line, hand, text), = result.findings
            self.assertEqual((line, hand), (1, True))
            self.assertIn(what, text)

    def test_the_rest_of_the_file_is_ported(self):
        result = self.port({"mediapipe/acme/BUILD": 'import os\nx = "//mediapipe/framework/port:status"'
                                                    "\n"})["mediapipe/acme/BUILD"]
        self.assertEqual(result.new, 'import os\nx = "//framework/port:status"\n')


class CyclesTest(PortCase):

    def test_headers_that_include_each_other_are_told_once(self):
        found = self.port({
            "mediapipe/acme/a.h": "#pragma once\n#include \"mediapipe/acme/b.h\"\n",
            "mediapipe/acme/b.h": "#include \"c.h\"\n",
            "mediapipe/acme/c.h": "#include \"mediapipe/acme/a.h\"\n",
            "mediapipe/acme/d.h": "#include \"mediapipe/acme/a.h\"\n"})
        told = {path: [tuple(f)[:2] for f in r.findings] for path, r in found.items() if r.findings}
        self.assertEqual(told, {"mediapipe/acme/a.h": [(2, False)]})
        self.assertIn('"mediapipe/acme/b.h" -> "mediapipe/acme/c.h" -> "mediapipe/acme/a.h"',
                      found["mediapipe/acme/a.h"].findings[0].text)

    def test_a_cycle_of_imports_is_an_error(self):
        found = self.port({
            "mediapipe/a.proto": '\nimport "mediapipe/b.proto";\n',
            "mediapipe/b.proto": 'import public "mediapipe/a.proto";\n'})
        self.assertEqual([tuple(f)[:2] for f in found["mediapipe/a.proto"].findings], [(2, True)])

    def test_a_cycle_of_loads_is_an_error(self):
        found = self.port({
            "mediapipe/a/BUILD": 'load(":a.bzl", "A")\ncc_library(name = "x", deps = A)\n',
            "mediapipe/a/a.bzl": '"""A."""\nload(\n    "//mediapipe/b:b.bzl", "B")\nA = B\n',
            "mediapipe/b/b.bzl": 'load("@mediapipe//mediapipe/a:a.bzl", "A")\nB = A\n',
            "mediapipe/b/BUILD": "",
            "mediapipe/c/c.bzl": 'load(":c.bzl", "C")\nC = C\n'})
        told = {path: [tuple(f)[:2] for f in r.findings if "a cycle" in f.text]
                for path, r in found.items()}
        self.assertEqual({path: lines for path, lines in told.items() if lines},
                         {"mediapipe/a/a.bzl": [(2, True)], "mediapipe/c/c.bzl": [(1, True)]})
        self.assertIn('"mediapipe/a/a.bzl" -> "mediapipe/b/b.bzl" -> "mediapipe/a/a.bzl": Bazel '
                      "loads none of them", str(found["mediapipe/a/a.bzl"].findings))

    def test_a_file_may_include_itself(self):
        self.assertEqual(cycles.cycles({"a": {"a", "b"}, "b": set()}), [["a"]])

    def test_knots_of_cycles(self):
        graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "b"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
        self.assertEqual(cycles.cycles(graph), [["a", "b", "c"], ["d", "e"]])
        self.assertEqual(cycles.cycles({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}}), [])

    def test_a_long_cycle(self):
        graph = {f"{i:05}": {f"{(i + 1) % 5000:05}"} for i in range(5000)}
        self.assertEqual(len(cycles.cycles(graph)[0]), 5000)


class BytesTest(CommandCase):

    def test_what_is_no_text_has_a_line_each(self):
        self.tree({"mediapipe/wide.cc": "mediapipe::A a;".encode("utf-16"),
                   "mediapipe/BUILD": b"\0", "mediapipe/late.cc": b"//" + b"x" * 9000 + b"\n\0\n",
                   "mediapipe/latin.h": b"// a\n// \xff\n", "mediapipe/empty.proto": "",
                   "mediapipe/long.cc": "int a = 1" + " + 1" * 30000 + ";\n",
                   "mediapipe/picture.png": b"\0\1"})
        self.assertEqual(self.run_port("mp"), 1)
        for line in ("TO DO mediapipe/wide.cc: is no text", "TO DO mediapipe/BUILD: is no text",
                     "TO DO mediapipe/late.cc:2: a NUL byte", "note  mediapipe/latin.h:2: is not UTF-8",
                     "note  mediapipe/empty.proto:1: is empty", "note  mediapipe/long.cc:1: a line of"):
            self.assertIn(line, self.out)
        self.assertNotIn("picture.png", self.out)
        self.assertIn("3 to do", self.out)
        self.assertEqual(self.files("mp_syncline")["wide.cc"], "mediapipe::A a;".encode("utf-16"))

    def test_a_byte_order_mark_hides_nothing(self):
        mark, include = b"\xef\xbb\xbf", b'#include "framework/calculator_graph.h"\n'
        self.tree({"mediapipe/acme/a.cc": mark + b'#include "mediapipe/framework/calculator_graph.h"\n'
                                          b"std::optional<int> a;",
                   "mediapipe/acme/a.proto": mark + b"package mediapipe;\n",
                   "mediapipe/acme/BUILD": mark + b'cc_library(name = "a", srcs = ["a.cc"])\n'})
        self.assertEqual(self.run_port("mp"), 0, self.out)
        files = self.files("mp_syncline")
        self.assertTrue(files["acme/a.cc"].startswith(mark + include), files["acme/a.cc"])
        self.assertIn(b'#include "absl/types/optional.h"\n', files["acme/a.cc"])
        self.assertEqual(files["acme/a.proto"], mark + b"package syncline;\n")
        self.assertTrue(files["acme/BUILD"].startswith(b"cc_library("), files["acme/BUILD"])
        self.assertIn("BUILD:1: the byte order mark is left out", self.out)

    def test_odd_names_are_quoted_in_the_report(self):
        self.tree({'mediapipe/a "b".h': "mediapipe::A a;", "mediapipe/c\\d\n.h": "mediapipe::A a;",
                   "mediapipe/\x1b]0;x\x07.txt": "", "mediapipe/\udcff.h": "mediapipe::A a;"})
        self.assertEqual(self.run_port("mp"), 0, self.out + self.err)
        for name in (r'"mediapipe/a \"b\".h" -> "a \"b\".h": names 1',
                     r'"mediapipe/c\\d\n.h" -> "c\\d\n.h"', r'"mediapipe/\x1b]0;x\x07.txt"',
                     r'"mediapipe/\xff.h"'):
            self.assertIn(name, self.out)
        self.assertEqual(self.run_port("mp", "--dry_run"), 0)
        self.assertIn(r'--- "a/mediapipe/c\\d\n.h"', self.out)

    def test_names_in_texts_are_escaped_too(self):
        self.tree({"mediapipe/BUILD": 'cc_library(name = "a", deps = ["//mediapipe/\\033[1m:\\ud800",'
                                      ' "//mediapipe/b\\0c", "@x\\x1b//:y"])\n'})
        self.assertEqual(self.run_port("mp"), 1)
        self.assertEqual([c for c in self.out if ord(c) < 32 and c != "\n"], [])
        self.assertIn("4 to do", self.out)  # Bazel does not know the escapes either

    def test_links_without_an_end_are_told(self):
        self.tree({"a.h": ""})
        mp = os.path.join(self.root, "mp")
        for name, target in (("x", "y"), ("y", "x"), ("here", "."), ("gone", "nowhere")):
            os.symlink(target, os.path.join(mp, name))
        os.makedirs(mp + "/in")
        os.symlink("../in", mp + "/in/again")
        os.symlink("a.h", mp + "/good")
        self.assertEqual(self.run_port("mp"), 1)
        for name in ("x", "y", "here", "gone", "in/again"):
            self.assertIn(f"TO DO {name}: a link to ", self.out)
        self.assertNotIn("good", self.out)

    def test_only_files_are_read(self):
        self.tree({"a.h": "int a;\n"})
        for target in ("a.h", "/etc/hostname"):
            link = os.path.join(self.root, "mp", os.path.basename(target) + "_link")
            os.symlink(target, link)
        tree = SourceTree(os.path.join(self.root, "mp"))
        self.assertEqual(tree.text("a.h"), "int a;\n")
        self.assertEqual([tree.text(name) for name in ("a.h_link", "hostname_link", "no")],
                         [None] * 3)

    def test_a_pipe_called_build_is_not_opened(self):
        self.tree({"mediapipe/a.cc": '#include "mediapipe/framework/packet.h"\n'})
        for name in ("BUILD", "b.h"):
            os.mkfifo(os.path.join(self.root, "mp/mediapipe", name))
        self.assertEqual(self.run_port("mp"), 1)
        self.assertIn("TO DO mediapipe/BUILD: is no plain file", self.out)

    def test_a_file_that_cannot_be_written_is_told_and_the_others_are(self):
        self.tree({"mediapipe/a": "", "a/b.h": "", "c.h": ""})
        self.assertEqual(self.run_port("mp"), 1)
        self.assertIn("cannot be written", self.out)
        self.assertIn("c.h", self.files("mp_syncline"))

    def test_folders_within_folders(self):
        deep = "d/" * _DEEP
        os.makedirs(os.path.join(self.root, "mp"))
        # Python's own removal of a folder goes into it by recursion.
        self.addCleanup(subprocess.run, ["rm", "-rf", os.path.join(self.root, "mp"),
                                         os.path.join(self.root, "mp_syncline")], check=True)
        descriptor = os.open(os.path.join(self.root, "mp"), os.O_RDONLY)
        for _ in range(_DEEP):
            os.mkdir("d", dir_fd=descriptor)
            below = os.open("d", os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        with open(os.open("a.h", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor), "w",
                  encoding="utf-8") as file:
            file.write("mediapipe::A a;\n")
        os.close(descriptor)
        self.assertEqual(self.run_port("mp"), 0, self.out + self.err)
        self.assertIn(f"{deep}a.h: names 1", self.out)


class UnreadableTest(PortCase):

    def test_what_cannot_be_read_is_left_out_and_told(self):
        good = open
        def refuses(path, mode="r", *arguments, **more):
            if str(path).endswith("secret.h") and "w" not in mode:
                raise PermissionError(13, "Permission denied", path)
            return good(path, mode, *arguments, **more)
        with mock.patch("builtins.open", refuses):
            results = self.port({"mediapipe/secret.h": "", "mediapipe/a.h": "mediapipe::A a;"})
        self.assertEqual([f.hand for f in results["mediapipe/secret.h"].findings], [True])
        self.assertFalse(results["mediapipe/secret.h"].copied)
        self.assertEqual(results["mediapipe/a.h"].new, "syncline::A a;")

    def test_a_folder_that_cannot_be_read_is_told(self):
        good = os.scandir
        def refuses(path):
            if path.endswith("secret"):
                raise PermissionError(13, "Permission denied", path)
            return good(path)
        with mock.patch("os.scandir", refuses):
            results = self.port({"mediapipe/secret/a.h": "", "mediapipe/b.h": ""})
        self.assertIn("Permission denied", results["mediapipe/secret"].findings[0].text)

    def test_one_file_beyond_the_port_does_not_end_it(self):
        def fails(*_):
            raise KeyError("a mistake of ours")
        with mock.patch("port.port.port_proto", fails):
            results = self.port({"mediapipe/a.proto": "mediapipe", "mediapipe/b.h": "mediapipe::B b;"})
        (_, hand, text), = results["mediapipe/a.proto"].findings
        self.assertTrue(hand)
        self.assertIn("KeyError", text)
        self.assertEqual(results["mediapipe/b.h"].new, "syncline::B b;")


class BuildFilesTest(PortCase):
    """BUILD files that look harmless."""

    def port_quickly(self, text, files=None):
        start = time.process_time()
        result = self.port({"mediapipe/BUILD": text, **(files or {})})["mediapipe/BUILD"]
        self.assertLess(time.process_time() - start, 10)
        return result

    def test_constants_that_grow_without_end(self):
        doubled = "".join(f"A{i + 1} = A{i} + A{i}\n" for i in range(60))
        self.port_quickly('A0 = ["a"]\n' + doubled +
                          'cc_library(name = "a", srcs = A60, deps = A60)\n')
        self.port_quickly('A = A + A\nB = C\nC = B\ncc_library(name = "a", srcs = A, deps = B)\n')

    def test_long_sums_and_deep_lists(self):
        self.port_quickly('cc_library(name = "a", deps = ' + " + ".join(['["b"]'] * 400) + ")\n")
        self.port_quickly('cc_library(name = "a", deps = ' + "[" * 90 + "]" * 90 + ")\n")
        self.port_quickly('A = "a"' + ' + "b"' * 3000 + "\n")

    def test_patterns_with_many_stars(self):
        files = {f"mediapipe/{'a/' * 30}{'a' * 100}{i}.cc": "" for i in range(20)}
        self.port_quickly('filegroup(name = "a", srcs = glob(["**/*a*a*a*a*a*a*a*a*b", "**/**/**/x",'
                          ' "*a*a*a*a*b"]))\n', files)

    def test_arguments_of_odd_kinds(self):
        for text in ("cc_library(name = 3, srcs = 4, deps = None)\n", "cc_library(**a)\n",
                     'cc_library("a", *b)\n', 'load()\nload(3)\nload("x", y)\n', "exports_files(3)\n",
                     'cc_library(name = "", srcs = [""], deps = ["", ":", "//", "@", "//:"])\n',
                     '[f(name = n) for n in 3]\n[f(name = n) for n in g()]\n',
                     'select()\nselect(3)\nf(name = "a", deps = select({}))\n',
                     'f(name = "a", deps = select({None: ["b"], 3: 4, "//conditions:default": 5}))\n',
                     'glob()\nglob(3)\nf(name = "a", srcs = glob([3, None]))\n'):
            self.assertEqual([f.text for f in self.port_quickly(text).findings
                              if "beyond the port" in f.text], [], text)


class ShownTest(unittest.TestCase):

    def test_paths(self):
        for path, text in (("a/b-c_1.h", "a/b-c_1.h"), ("\u00e4.h", "\u00e4.h"), ("a b", '"a b"'),
                           ("a\\b", '"a\\\\b"'), ("\u202ea", '"\\u202ea"'), ("a\tb", '"a\\tb"'),
                           ("\udc9b", '"\\x9b"'), ("\ud800", '"\\ud800"')):
            self.assertEqual(shown.path(path), text)


if __name__ == "__main__":
    unittest.main()
