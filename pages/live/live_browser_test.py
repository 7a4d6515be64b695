#!/usr/bin/env python3
"""The page of a run in a real Chromium: counts, a standing graph, details,
packets, the log, traces, 1,000 nodes, names of any kind, runs that end and begin
again, a program that goes, narrow and dark screens, and the keyboard.

usage: live_browser_test.py BROWSER.PY WATCHED_PROGRAM

With SCREENSHOTS=FOLDER, keeps pictures of six states there, as docs/live_page/
has them.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.dirname(sys.argv[1]))
from browser import Browser  # noqa: E402

PROGRAM = sys.argv[2]
SCREENSHOTS = os.environ.get("SCREENSHOTS")
# The numbers at one node that are drawn over each other, though each input has
# a queue to tell of.
OVERLAPS = """
  const found = [];
  for (const {item, element} of synclinePages.live.view.drawn) {
    const time = element.querySelector('.call-time');
    if (!time) continue;
    for (const entry of synclinePages.live.view.chips) {
      if (!entry.text || entry.parent !== element) continue;
      const was = entry.text.textContent;
      entry.text.textContent = was || '≡99';
      const one = time.getBoundingClientRect();
      const other = entry.text.getBoundingClientRect();
      entry.text.textContent = was;
      if (one.left < other.right && other.left < one.right &&
          one.top < other.bottom && other.top < one.bottom) {
        found.push(item.title + ': ' + time.textContent);
      }
    }
  }
  return found;
"""
COUNTS = """
  const live = synclinePages.live;
  const counts = {};
  live.picture.streams.forEach((stream, i) =>
      counts[stream.name] = live.sample.state.num_packets[i]);
  return [live.sample.state.phase, counts];
"""
# Frames while the picture is moved and the state comes, in ms: the longest of 60
# but for three, and the median.
FRAMES = """
  const done = arguments[0];
  const view = synclinePages.live.view;
  const times = [];
  let last = performance.now();
  function frame(now) {
    times.push(now - last);
    last = now;
    const step = times.length % 32 < 16 ? 9 : -9;
    view.MoveBy(step, step / 2);
    if (times.length < 64) return requestAnimationFrame(frame);
    times.splice(0, 4);
    times.sort((a, b) => a - b);
    done([times[times.length - 4], times[times.length / 2]]);
  }
  requestAnimationFrame(frame);
"""


class Program:
    """The program whose graph is watched."""

    def __init__(self, mode, port=0):
        self.process = subprocess.Popen(
            [PROGRAM, mode, str(port)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http://127.0.0.1:"):
            self.__exit__()
            raise RuntimeError("The program says no address: " + self.url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def do(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self):
        answer = self.do("end")
        assert answer.startswith("counts "), answer
        return json.loads(answer[len("counts "):])

    def ask(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return answer.read()

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1].strip("/"))


def visible(name):
    """As the page shows characters that command something."""
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]",
                  lambda c: "\\x%02x" % ord(c[0]),
                  name.replace("\u202e", "\\u202e"))


class LiveBrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enter(Browser(1280, 860))
        cls.small = None

    @classmethod
    def enter(cls, manager):
        entered = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)
        return entered

    def open(self, program, browser=None):
        browser = browser or self.browser
        browser.open(program.url)
        # What the page before said when its program had gone.
        browser.console()
        browser.wait_for("return synclinePages.live && synclinePages.live.sample")

    def keep(self, name, browser=None):
        if SCREENSHOTS:
            time.sleep(1)
            (browser or self.browser).screenshot(
                os.path.join(SCREENSHOTS, name + ".png"))

    def text(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0]).textContent", selector)

    def wait_for_phase(self, phase, browser=None):
        (browser or self.browser).wait_for(
            "return document.getElementById('phase').textContent === '%s'"
            % phase)

    def expect_quiet_console(self, browser=None):
        self.assertEqual((browser or self.browser).console(), [])

    def select(self, kind, name):
        self.browser.run(
            "const live = synclinePages.live;"
            "const list = arguments[0] === 'node' ? live.picture.nodes :"
            "    live.picture.streams;"
            "live.view.Select({kind: arguments[0], index:"
            "    list.findIndex(t => t.name === arguments[1])}, true);",
            kind, name)

    # --- Runs

    def test_the_counts_at_the_end_are_those_of_the_run(self):
        with Program("run") as program:
            self.open(program)
            self.wait_for_phase("not started")
            program.do("start")
            self.wait_for_phase("running")
            self.browser.wait_for(
                "return synclinePages.live.sample.state.num_packets[0] > 60")
            self.assertRegex(self.text("#rate"), r"^\d+(\.\d)?/s packets$")
            self.browser.wait_for(
                "return document.querySelector('.call-time')")
            self.assertEqual(self.browser.run(OVERLAPS), [])
            # Latencies are looked at now and then.
            self.browser.wait_for(
                "return document.querySelector('#details .latencies')")
            self.assertIn("Latency by sink", self.text("#details"))
            self.assertIn("Busiest nodes", self.text("#details"))
            self.keep("running")
            counts = program.end()
            self.wait_for_phase("ended")
            self.assertGreater(counts["shown"], 0)
            self.assertEqual(self.browser.run(COUNTS), ["ended", counts])
            # They are on the picture, too.
            self.select("stream", "shown")
            self.assertIn(str(counts["shown"]), self.text("#details"))
            self.expect_quiet_console()

    def test_a_run_that_begins_again_is_shown(self):
        with Program("run") as program:
            self.open(program)
            for run in (1, 2):
                program.do("start")
                self.wait_for_phase("running")
                counts = program.end()
                self.wait_for_phase("ended")
                self.browser.wait_for(
                    "return synclinePages.live.sample.run === %d" % run)
                self.assertEqual(self.browser.run(COUNTS), ["ended", counts])
            self.assertEqual(self.text("#run"), "run 2")
            self.expect_quiet_console()

    def test_a_run_that_fails_says_its_error(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            program.do("fail")
            self.wait_for_phase("failed")
            self.assertIn('the <lens> "cap" is on', self.text("#banner"))
            sentence = self.text("#banner .sentence")
            self.assertEqual(sentence, sentence.strip())
            self.expect_quiet_console()

    def test_a_program_that_goes_is_told_and_what_it_did_stays(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            self.select("stream", "shown")
            counts = program.end()
            self.wait_for_phase("ended")
        self.browser.wait_for(
            "return document.querySelector('#banner.lost .sentence')")
        self.assertIn("has ended, and its program has gone",
                      self.text("#banner"))
        self.assertEqual(
            self.browser.run("return document.getElementById('recent')"
                             ".ariaDisabled"), "true")
        # Also beside the picture, which is drawn less often.
        self.assertIn(str(counts["shown"]), self.text("#details"))
        self.assertEqual(self.browser.run(COUNTS), ["ended", counts])
        # What the browser itself says of each request that is not answered.
        for line in self.browser.console():
            self.assertIn("ERR_CONNECTION", line)

    def test_a_program_that_is_stopped_is_told_until_it_goes_on(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            program.process.send_signal(signal.SIGSTOP)
            try:
                self.browser.wait_for(
                    "return document.querySelector('#banner.lost .sentence')")
            finally:
                program.process.send_signal(signal.SIGCONT)
            self.assertIn("cannot be reached", self.text("#banner"))
            self.browser.wait_for(
                "return !document.querySelector('#banner.lost')")
            program.end()

    def test_another_program_at_the_same_port_is_shown(self):
        with Program("run") as program:
            port = program.port
            self.open(program)
        with Program("stand", port) as program:
            self.browser.wait_for(
                "return document.getElementById('title') &&"
                "  document.getElementById('title').textContent ==="
                "  'stand.pbtxt' && synclinePages.live &&"
                "  synclinePages.live.sample")
            self.browser.console()

    def test_a_standing_graph_says_why_on_top(self):
        with Program("stand") as program:
            self.open(program)
            program.do("start")
            self.browser.wait_for(
                "return document.querySelector('#banner.standstill .sentence')")
            sentence = self.text("#banner .sentence")
            self.assertIn('"boxes"', sentence)
            self.assertIn("What to do", self.text("#banner pre"))
            # Who waits, and for whom, on the picture.
            self.browser.wait_for(
                "return document.querySelectorAll('.item.waits').length >= 2")
            self.browser.wait_for("return document.querySelector('.edge.waits')")
            self.assertIn(sentence.split(" for ")[0],
                          json.loads(program.ask("state.json"))["state"]
                          ["standstill"])
            self.assertIn(b"\nsyncline_run_stands_still 1\n",
                          program.ask("metrics"))
            self.browser.click("#banner summary")
            self.keep("standing")
            self.expect_quiet_console()

    # --- What is beside the picture

    def test_a_click_on_a_node_shows_its_options_and_times(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            index = self.browser.run(
                "return synclinePages.live.picture.nodes.findIndex("
                "    node => node.name === 'slow')")
            self.browser.run(
                "synclinePages.live.view.byNode.get(arguments[0]).element"
                "    .id = 'the-node'", index)
            self.browser.click("#the-node .title")
            self.assertEqual(self.text("#details h2"), "slow")
            self.assertIn("stack_size: 65536", self.text("#details pre"))
            self.browser.wait_for(
                "return document.querySelector('.live-numbers dt')")
            self.assertIn("time of a call", self.text(".live-numbers"))
            self.keep("details")
            self.browser.click("#overview")
            self.assertIn("Busiest nodes", self.text("#details"))
            self.select("node", "limited")
            self.browser.wait_for(
                "return document.getElementById('details').textContent"
                "    .includes('READY')")
            program.end()
            self.expect_quiet_console()

    def test_the_panel_stays_while_somebody_reads_or_presses_there(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.select("node", "slow")
            self.browser.run(
                "const h2 = document.querySelector('#details h2');"
                "getSelection().selectAllChildren(h2); window.kept = h2;")
            time.sleep(1.2)
            self.assertTrue(self.browser.run(
                "return document.querySelector('#details h2') === window.kept"))
            self.browser.run(
                "getSelection().removeAllRanges();"
                "document.querySelector('#details button').focus();")
            self.browser.wait_for(
                "return document.querySelector('#details h2') !== window.kept")
            self.assertTrue(self.browser.run(
                "return document.activeElement.matches('#details button')"))
            program.end()
            self.expect_quiet_console()

    def test_packets_are_shown_as_picture_spectrogram_and_text(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.select("stream", "frames")
            self.browser.wait_for(
                "return document.querySelector('canvas.packet-picture')")
            colors = self.browser.run(
                "const c = document.querySelector('canvas.packet-picture');"
                "const d = c.getContext('2d').getImageData(0, 0, 320, 180).data;"
                "return [c.width, c.height, d[0], d[d.length - 4]]")
            self.assertEqual(colors[:3], [320, 180, 0])
            self.assertGreater(colors[3], 250)
            self.select("stream", "spectrum")
            # Its columns come one after the other.
            self.browser.wait_for(
                "const c = document.querySelector('canvas.packet-matrix');"
                "return c && c.width > 20 && c.height === 64")
            if SCREENSHOTS:
                time.sleep(12)
            self.keep("spectrogram")
            self.select("stream", "labels")
            self.browser.wait_for(
                "const p = document.querySelector('#packet pre');"
                "return p && p.textContent.startsWith('frame <b>')")
            self.assertEqual(self.browser.run(
                "return document.querySelectorAll('#packet b').length"), 0)
            program.end()
            self.select("node", "slow")
            self.assertTrue(self.browser.run(
                "return document.getElementById('packet').hidden"))
            self.expect_quiet_console()

    def test_the_log_is_shown_as_text(self):
        with Program("run") as program:
            self.open(program)
            program.do("log a <b>line</b> & more")
            self.browser.wait_for(
                "return document.querySelector('#log-lines .warning')")
            self.assertIn("a <b>line</b> & more", self.text("#log-lines"))
            self.assertEqual(self.browser.run(
                "return document.querySelectorAll('#log-lines b').length"), 0)
            self.assertIn("1 warning", self.text("#log-count"))
            self.browser.click("#log summary")
            self.assertTrue(self.browser.run(
                "return document.getElementById('log').open"))
            self.expect_quiet_console()

    def test_a_trace_is_started_stopped_and_saved(self):
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            self.browser.wait_for(
                "return !document.getElementById('control').hidden")
            self.browser.click("#trace")
            self.browser.wait_for(
                "return document.getElementById('trace').textContent ==="
                "    'Stop trace'")
            self.assertIn("is being written", self.text("#trace-text"))
            # Who pressed it with the keyboard presses it once more.
            self.assertEqual(
                self.browser.run("return document.activeElement.id"), "trace")
            time.sleep(0.3)
            self.browser.click("#trace")
            self.browser.wait_for(
                "return !document.getElementById('save').hidden")
            self.assertGreater(len(program.ask("trace/file")), 1000)
            self.assertGreater(len(program.ask("trace/recent")), 1000)
            program.end()
            self.expect_quiet_console()

    # --- Names, sizes, screens, keys

    def test_names_of_any_kind_are_text(self):
        with Program("names") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            names = self.browser.run(
                "return synclinePages.live.picture.nodes.map(n => n.name)")
            self.assertIn("</script><script>alert(2)</script>", names)
            self.assertTrue(any("<img src=x" in name for name in names))
            self.assertTrue(any("\u202e" in name for name in names))
            for name in names:
                self.select("node", name)
                self.assertEqual(self.text("#details h2"), visible(name))
            self.assertEqual(self.browser.run(
                "return document.querySelectorAll('img').length"), 0)
            self.assertNotIn("\u202e", self.text("body"))
            self.assertIn(b"onerror", program.ask("metrics"))
            self.expect_quiet_console()

    def test_a_thousand_nodes_stay_usable(self):
        with Program("many") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            self.browser.wait_for(
                "return synclinePages.live.sample.state.num_packets[0] > 5")
            number = self.browser.run("return synclinePages.live.number")
            # On a machine that does other things, too, not every try is good.
            longest = min(self.browser.run_async(FRAMES)[0] for _ in range(5))
            self.assertLess(longest, 100)
            # With all of it in sight, which takes a browser without a graphics
            # card a while to paint.
            self.browser.run("synclinePages.live.view.Fit()")
            median = min(self.browser.run_async(FRAMES)[1] for _ in range(3))
            self.assertLess(median, 100)
            self.browser.run("synclinePages.live.view.FitReadable()")
            self.browser.wait_for(
                "return synclinePages.live.number > %d" % number)
            self.keep("many")
            self.expect_quiet_console()

    def test_a_narrow_dark_screen_has_it_all(self):
        with Program("run") as program, Browser(500, 740, dark=True) as small:
            small.resize(360, 740)
            self.open(program, small)
            program.do("start")
            self.wait_for_phase("running", small)
            small.run("synclinePages.live.view.Select({kind: 'node', index: 1})")
            self.assertLessEqual(small.run(
                "return document.scrollingElement.scrollWidth"), 360)
            for selector in ("#graph", "#panel", "#log", "#trace"):
                box = small.run(
                    "const b = document.querySelector(arguments[0])"
                    "    .getBoundingClientRect();"
                    "return [b.left, b.top, b.right, b.bottom]", selector)
                self.assertGreaterEqual(box[0], 0, selector)
                self.assertLessEqual(box[2], 360, selector)
                self.assertLessEqual(box[3], 740, selector)
                self.assertGreater(box[3] - box[1], 20, selector)
            self.assertEqual(small.run(
                "return getComputedStyle(document.body).backgroundColor"),
                "rgb(20, 24, 28)")
            self.keep("narrow_dark", small)
            program.end()
            self.expect_quiet_console(small)

    def test_the_keyboard_reaches_all_of_it(self):
        tab, enter = "\ue004", "\ue007"
        with Program("run") as program:
            self.open(program)
            program.do("start")
            self.wait_for_phase("running")
            self.browser.wait_for(
                "return document.querySelector('.busiest button')")
            reached = set()
            for _ in range(40):
                self.browser.keys(tab)
                reached.add(self.browser.run(
                    "const e = document.activeElement;"
                    "return e.id || e.className.baseVal || e.className ||"
                    "    e.tagName"))
            for name in ("trace", "recent", "panel", "link"):
                self.assertIn(name, reached)
            self.assertTrue(any("graph-canvas" in name for name in reached),
                            reached)
            # A node of the table of busy ones.
            self.browser.run(
                "document.querySelector('.busiest button').focus()")
            self.browser.keys(enter)
            self.browser.wait_for(
                "return synclinePages.live.selection !== null &&"
                "    synclinePages.live.selection.kind === 'node'")
            program.end()
            self.expect_quiet_console()

    def test_nothing_but_the_program_is_asked(self):
        with Program("run") as program:
            self.open(program)
            urls = self.browser.run(
                "return performance.getEntries().map(e => e.name)"
                "    .filter(name => name.includes('://'))")
            self.assertTrue(urls)
            for url in urls:
                self.assertTrue(url.startswith(program.url), url)
            self.expect_quiet_console()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
