#!/usr/bin/env python3
"""The pages of view_graph in a real Chromium: its policy lets them draw, and a
click shows what the file says.

usage: view_graph_browser_test.py VIEW_GRAPH BROWSER.PY
"""
import os
import subprocess
import sys
import tempfile
import unittest

VIEW_GRAPH = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(sys.argv[2]))
from browser import Browser  # noqa: E402

GRAPH = """
input_stream: "in"
node {
  name: "pass<b>\\"&"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "middle"
}
node {
  calculator: "FarAwayCalculator"
  input_stream: "IMAGE:middle"
  input_stream: "nobody"
  output_stream: "OUT:out"
  options { [mediapipe.FarAwayOptions.ext] { size: 3 } }
}
"""


class ViewGraphBrowserTest(unittest.TestCase):

    def test_the_page_draws_the_graph_and_tells_what_is_in_the_file(self):
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            path = os.path.join(folder, "graph.pbtxt")
            page = os.path.join(folder, "graph.html")
            with open(path, "w", encoding="utf-8") as graph:
                graph.write(GRAPH)
            subprocess.run([VIEW_GRAPH, path, "--output=" + page,
                            "--open=false"], check=True,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            browser.open(page)
            browser.wait_for("return synclinePages.view.drawn.length")
            panel = "return document.getElementById('panel').innerText"
            self.assertIn("nobody", browser.run(panel))
            self.assertIn("does not know the types", browser.run(panel))
            browser.click(".item.unknown .title")
            said = browser.run(panel)
            self.assertIn("FarAwayCalculator", said)
            self.assertIn("size: 3", said)
            self.assertIn("graph.pbtxt:9", said)
            titles = browser.run("""
              return [...document.querySelectorAll('.item .title')]
                  .map(t => t.textContent)""")
            self.assertIn('pass<b>"&', titles)
            self.assertTrue(browser.run("return document.title")
                            .endswith("graph.pbtxt"))
            self.assertEqual(browser.console(), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
