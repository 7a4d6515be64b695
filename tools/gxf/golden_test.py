"""What becomes of the applications of testdata: NAME.yaml is NAME.pbtxt, with NAME.report.

    tools/gxf_test.py golden_test --write    writes them anew, to be read in the diff
"""
import os
import random
import re
import sys
import tempfile
import unittest

from gxf.application import Application
from gxf.importer import import_application
from gxf.report import NOT_MAPPED, Report
from gxf.yaml_lines import FileError

_FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "testdata")
_NAMES = ("ping", "fan", "memory", "loop", "outer", "tree", "ticks", "cuda", "unmapped")


def _import(name):
    """(graph, report) of testdata/NAME.yaml."""
    os.chdir(_FOLDER)  # places begin there
    report = Report()
    application = Application(report)
    application.load(name + ".yaml")
    graph = import_application(application, {}, report)
    return graph, report


class GoldenTest(unittest.TestCase):

    def read(self, name):
        with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
            return file.read()

    def test_applications_become_these_graphs_and_reports(self):
        self.maxDiff = None
        for name in _NAMES:
            with self.subTest(name):
                graph, report = _import(name)
                self.assertEqual(graph, self.read(name + ".pbtxt"))
                self.assertEqual("".join(f"{f}\n" for f in report.sorted()),
                                 self.read(name + ".report"))

    def test_what_is_not_mapped_stands_in_the_graph_as_well(self):
        for name in _NAMES:
            graph, report = _import(name)
            for finding in report.findings:
                if finding.kind == NOT_MAPPED:
                    self.assertIn(f"# Not mapped: {finding.place}: {finding.text}", graph)

    def test_damaged_applications_are_imported_or_errors(self):
        chance = random.Random(7)
        for name in _NAMES * 20:
            words = re.split(r"([\s,:\[\]{}]+)", self.read(name + ".yaml"))
            for _ in range(chance.randrange(1, 6)):
                i, j = chance.randrange(len(words)), chance.randrange(len(words))
                words[i] = chance.choice(["", words[j], "[]", "{}", "~", "-1", "x/y"])
            report = Report()
            application = Application(report)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "damaged.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write("".join(words))
                try:
                    application.load(path)
                except FileError:
                    continue
                import_application(application, {}, report)

    def test_every_application_is_tested(self):
        files = {n[:-5] for n in os.listdir(_FOLDER) if n.endswith(".yaml")}
        self.assertEqual(files - {"inner"}, set(_NAMES))  # inner is a part of outer


def write():
    for name in _NAMES:
        graph, report = _import(name)
        for suffix, text in ((".pbtxt", graph),
                             (".report", "".join(f"{f}\n" for f in report.sorted()))):
            with open(os.path.join(_FOLDER, name + suffix), "w", encoding="utf-8") as file:
                file.write(text)


if sys.argv[2:] == ["--write"]:
    write()
    sys.exit()
