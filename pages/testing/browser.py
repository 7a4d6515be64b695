"""A Chromium without a window, for tests of pages: opens a page, runs scripts in
it, sends keys, takes pictures, and keeps what the console says.

    with Browser() as browser:
        browser.open(path_or_url)
        title = browser.run("return document.title")
        browser.wait_for("return document.querySelector('.item')")

It speaks WebDriver with Debian's chromium-driver, over the loopback device.
Nothing is downloaded. Each browser has a profile of its own, which goes with it.
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"
_START_S = 60


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """One Chromium. `dark`: what prefers-color-scheme says."""

    def __init__(self, width=1280, height=900, dark=False):
        self.size = (width, height)
        self.dark = dark

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="browser")
        self.url = "http://127.0.0.1:%d" % self._start_driver()
        try:
            self._start_session()
        except BaseException:
            self._stop_driver()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", "")
        except OSError:
            pass
        self._stop_driver()

    def _start_driver(self):
        port = _free_port()
        # Chromium writes beside its profile only.
        env = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        self.driver = subprocess.Popen(
            [DRIVER, "--port=%d" % port], env=env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return port

    def _stop_driver(self):
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start_session(self):
        arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars",
            "--user-data-dir=" + os.path.join(self.folder, "profile"),
            "--window-size=%d,%d" % self.size,
        ]
        wanted = {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": CHROMIUM, "args": arguments},
        }}}
        deadline = time.monotonic() + _START_S
        self.path = "/session"
        while True:
            try:
                made = self._ask("POST", "", wanted)
                break
            except urllib.error.HTTPError:
                raise
            except OSError:
                # The driver has not opened its port yet.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self.path = "/session/" + made["sessionId"]
        if self.dark:
            self._cdp("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "dark"}])

    def _ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + self.path + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace")
            error.msg += ": " + said[:2000]
            raise

    def _cdp(self, command, **parameters):
        return self._ask("POST", "/goog/cdp/execute",
                         {"cmd": command, "params": parameters})

    def resize(self, width, height):
        """The size of the page, which may be less than a window can have."""
        self._cdp("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def open(self, where):
        """A URL, or the path of a file."""
        if "://" not in where:
            where = "file://" + os.path.abspath(where)
        self._ask("POST", "/url", {"url": where})

    def run(self, script, *arguments):
        """What the body of a function returns."""
        return self._ask("POST", "/execute/sync",
                         {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The same; the last argument of the body is called with the result."""
        return self._ask("POST", "/execute/async",
                         {"script": script, "args": list(arguments)})

    def wait_for(self, script, seconds=20):
        """Until the script returns something that is true; returns that."""
        deadline = time.monotonic() + seconds
        while True:
            result = self.run(script)
            if result:
                return result
            if time.monotonic() > deadline:
                raise TimeoutError("never true: " + script)
            time.sleep(0.05)

    def find(self, selector):
        """An element, for click()."""
        found = self._ask("POST", "/element",
                          {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def click(self, selector):
        """A click of the pointer into the middle of an element."""
        self._ask("POST", "/element/%s/click" % self.find(selector), {})

    def keys(self, text):
        """Presses keys, wherever the focus is."""
        actions = []
        for key in text:
            actions.append({"type": "keyDown", "value": key})
            actions.append({"type": "keyUp", "value": key})
        self._ask("POST", "/actions", {"actions": [
            {"type": "key", "id": "keys", "actions": actions}]})

    def console(self):
        """What was logged since the last call, as "LEVEL text"."""
        return ["%s %s" % (entry["level"], entry["message"])
                for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(path, "wb") as picture:
            picture.write(base64.b64decode(self._ask("GET", "/screenshot")))
