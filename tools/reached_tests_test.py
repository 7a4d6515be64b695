"""Which tests come first, and which files of a change have labels."""
import unittest
from unittest import mock

import reached_tests


class ReachedTestsTest(unittest.TestCase):

    def test_packages_take_turns(self):
        self.assertEqual(
            reached_tests.in_turns({"//a:2", "//a:1", "//b:9", "//a:3", "//b:8"}),
            ["//a:1", "//b:8", "//a:2", "//b:9", "//a:3"])

    def test_a_nearer_test_comes_before_a_farther_one(self):
        within = {1: {"//z:near"}, 2: {"//z:near", "//a:far"}}
        with mock.patch.object(
                reached_tests, "tests_within",
                lambda labels, depth, folders: within[min(depth, 2)]):
            self.assertEqual(reached_tests.reached(["//z:x.h"], "//..."),
                             ["//z:near", "//a:far"])

    def test_a_file_below_a_package_belongs_to_it(self):
        self.assertEqual(reached_tests.label_of("tools/gxf/importer.py"),
                         "//tools/gxf:importer.py")
        self.assertEqual(reached_tests.label_of("docs/concepts/running.md"),
                         "//docs:concepts/running.md")

    def test_pages_and_build_files_reach_nothing(self):
        changed = "README.md\ndocs/a.md\nframework/node/BUILD\ntools/cc.bzl\n"
        with mock.patch.object(reached_tests, "output_of", lambda _: changed):
            self.assertEqual(reached_tests.changed_labels("x"), [])

    def test_an_unknown_commit_is_no_empty_change(self):
        with mock.patch.object(reached_tests, "output_of", lambda _: None):
            self.assertIsNone(reached_tests.changed_labels("x"))

    def test_a_test_without_its_library_is_not_asked_for(self):
        found = {"tests": "//a:has //a:lacks", "lacking": "//a:lacks"}
        printed = []
        with mock.patch.object(reached_tests, "changed_labels",
                               lambda _: ["//a:x.h"]), \
             mock.patch.object(
                 reached_tests, "query",
                 lambda e: found["lacking" if "no_" in e else "tests"].split()), \
             mock.patch("builtins.print",
                        lambda *a, **k: None if k else printed.append(a[0])), \
             mock.patch("sys.argv", ["reached_tests.py", "--since=x"]):
            reached_tests.main()
        self.assertEqual(printed, ["//a:has"])


if __name__ == "__main__":
    unittest.main()
