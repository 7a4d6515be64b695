"""What engine_parts.py finds wrong with the parts of a small tree."""
import os
import tempfile
import unittest
from unittest import mock

import engine_parts

LISTS = {name: type(getattr(engine_parts, name))()
         for name in ("OTHER_SOURCES", "OTHER_TESTS", "NO_CODE", "COMPOSED",
                      "OF_THREADS")}


class EnginePartsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for name, empty in LISTS.items():
            patch = mock.patch.object(engine_parts, name, empty.copy())
            patch.start()
            self.addCleanup(patch.stop)
        for part in engine_parts.FOLDERS:
            os.makedirs(os.path.join(self.root, part), exist_ok=True)
        self.write("a.h", "a.cc", "a_more.cc", "a_test.cc")

    def write(self, *names, text=""):
        for name in names:
            with open(os.path.join(self.root, "framework/node", name), "w",
                      encoding="utf-8") as file:
                file.write(text)

    def problems(self):
        return engine_parts.problems(self.root)

    def test_a_part_is_a_header_with_its_sources_and_their_tests(self):
        self.write("a_more_test.cc", "ab.h", "ab_test.cc", "a_test_support.h")
        found, _ = engine_parts.parts(self.root)
        self.assertEqual(sorted(found), ["framework/node/a", "framework/node/ab"])
        part = found["framework/node/a"]
        self.assertEqual(part.files, ["framework/node/" + name
                                      for name in ("a.cc", "a.h", "a_more.cc")])
        self.assertEqual(part.tests, ["framework/node/a_test",
                                      "framework/node/a_more_test"])
        self.assertEqual(self.problems(), [])

    def test_a_part_without_a_test(self):
        self.write("b.h")
        self.assertEqual(len(self.problems()), 1)
        self.assertIn("framework/node/b: has no test of its own", self.problems()[0])
        engine_parts.NO_CODE.add("framework/node/b")
        self.assertEqual(self.problems(), [])

    def test_a_test_with_a_graph(self):
        self.write("a_test.cc", text='#include "framework/graph/calculator_graph.h"\n')
        self.assertIn("framework/node/a_test: needs a graph", self.problems()[0])
        engine_parts.COMPOSED.add("framework/node/a")
        self.assertEqual(self.problems(), [])

    def test_a_test_that_starts_threads(self):
        self.write("a_test.cc", text="std::thread thread;\n")
        self.assertIn("framework/node/a: its tests start threads", self.problems()[0])
        engine_parts.OF_THREADS.add("framework/node/a")
        self.assertEqual(self.problems(), [])

    def test_a_source_of_no_part(self):
        self.write("lonely.cc")
        self.assertIn("framework/node/lonely.cc: belongs to no part",
                      self.problems()[0])
        engine_parts.OTHER_SOURCES["framework/node/lonely"] = "framework/node/a"
        self.assertEqual(self.problems(), [])

    def test_what_is_listed_and_is_not_there(self):
        engine_parts.NO_CODE.add("framework/node/gone")
        engine_parts.OTHER_TESTS["framework/node/a"] = ["gone_test"]
        self.assertEqual(self.problems(),
                         ["OTHER_TESTS: there is no gone_test.cc",
                          "framework/node/gone: is listed, and there is no such header"])


if __name__ == "__main__":
    unittest.main()
