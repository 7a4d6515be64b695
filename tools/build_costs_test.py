#!/usr/bin/env python3
"""What tools/build_costs prints of a profile and of a header."""
import contextlib
import gzip
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

_PATH = os.path.join(os.path.dirname(os.path.realpath(__file__)), "build_costs")
sys.dont_write_bytecode = True
_LOADER = importlib.machinery.SourceFileLoader("build_costs", _PATH)
build_costs = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("build_costs", _LOADER))
_LOADER.exec_module(build_costs)


def _event(name, seconds, cat="action processing"):
    return {"cat": cat, "name": name, "dur": seconds * 1e6}


class BuildCostsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_it(self, *arguments):
        """(exit status, output, errors)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = build_costs.main(list(arguments))
        return status, out.getvalue(), err.getvalue()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_actions_are_summed_by_kind_and_by_folder(self):
        path = os.path.join(self.folder, "profile.gz")
        with gzip.open(path, "wt") as file:
            json.dump({"traceEvents": [
                _event("Compiling framework/node/node.cc", 2),
                _event("Compiling framework/node/row/row.cc", 1),
                _event("Compiling main.cc", 0.5),
                _event("Linking framework/node/node_test", 0.25),
                _event("Compiling framework/node/node.cc", 9, cat="something else"),
            ]}, file)
        header = self.write("empty.h", "")
        status, out, _ = self.run_it(f"--profile={path}", "--slowest=1", f"--header={header}")
        self.assertEqual(status, 0)
        lines = [line.split() for line in out.splitlines()]
        self.assertIn(["3.5", "3", "Compiling"], lines)
        self.assertIn(["3.0", "2", "framework/node"], lines)
        self.assertIn(["0.5", "1", "(top)"], lines)
        self.assertIn(["2.0", "Compiling", "framework/node/node.cc"], lines)
        self.assertNotIn(["1.0", "Compiling", "framework/node/row/row.cc"], lines)
        self.assertRegex(out, r"empty\.h: \d+ lines, \d\.\d\d s")

    def test_what_is_no_profile_is_named(self):
        text = self.write("a.txt", "text")
        for path in (text, os.path.join(self.folder, "absent"), self.folder):
            status, _, err = self.run_it(f"--profile={path}")
            self.assertEqual(status, 2)
            self.assertIn(f'"{path}" is no profile', err)

    def test_a_header_with_too_many_lines_fails(self):
        header = self.write("three.h", "int a;\nint b;\nint c;\n")
        status, out, err = self.run_it(f"--header={header}", "--header_limit=3")
        self.assertEqual((status, err[:5]), (1, "Every"))
        self.assertIn("at most 3 wanted", out)
        status, _, err = self.run_it(f"--header={header}", "--header_limit=100")
        self.assertEqual((status, err), (0, ""))

    def test_a_header_that_is_no_cpp_is_told(self):
        header = self.write("bad.h", "#error no\n")
        status, _, err = self.run_it(f"--header={header}", "--header_limit=100")
        self.assertEqual(status, 2)
        self.assertIn("does not take the header", err)

    def test_too_many_compiled_sources_fail(self):
        objects = self.write("objects.txt", "a/b/_objs/x/x.pic.o\na/b/_objs/y/y.pic.o\n"
                             "a/_objs/z/z.pic.o\n")
        status, out, err = self.run_it(f"--compiled={objects}", "--compiled_limit=2")
        self.assertEqual((status, err[:5]), (1, "Every"))
        lines = [line.split() for line in out.splitlines()]
        self.assertEqual(lines[1:], [["2", "a/b"], ["1", "a"]])
        self.assertEqual(out.splitlines()[0], "3 sources are compiled, at most 2 wanted")
        status, _, err = self.run_it(f"--compiled={objects}", "--compiled_limit=3")
        self.assertEqual((status, err), (0, ""))

    def test_a_list_of_nothing_is_a_mistake(self):
        for path in (self.write("none.txt", "\n"), os.path.join(self.folder, "absent")):
            status, _, err = self.run_it(f"--compiled={path}", "--compiled_limit=2")
            self.assertEqual(status, 2)
            self.assertIn(path, err)


if __name__ == "__main__":
    unittest.main()
