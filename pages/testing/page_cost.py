#!/usr/bin/env python3
"""What the page of a program costs while somebody looks at it ten times a second.

    pages/testing/page_cost.py [--seconds=N] -- PROGRAM --page=0 ...
    pages/testing/page_cost.py -- \\
        ./bazelw run -c opt //examples/pedestrians -- --page=0

PROGRAM is one that prints the address of its page. The time that each of its
threads was on a core is read from /proc/PID/task/*/schedstat, and the share of
the page's two ("page", "page_server") is printed at the end.
"""
import argparse
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time

PAGE_THREADS = ("page", "page_server")
PERIOD_S = 0.1


def thread_times(pid):
    """By thread: its name and the nanoseconds that it was on a core."""
    times = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        folder = f"/proc/{pid}/task/{task}"
        try:
            with open(folder + "/comm") as comm:
                name = comm.read().strip()
            with open(folder + "/schedstat") as stat:
                times[task] = (name, int(stat.read().split()[0]))
        except OSError:
            pass  # It has ended.
    return times


def has_page(pid):
    try:
        names = [name for name, _ in thread_times(pid).values()]
        return "page_server" in names
    except OSError:
        return False


def page_process(group):
    """The process of the group that serves the page."""
    for name in os.listdir("/proc"):
        if name.isdigit() and has_page(name) and os.getpgid(int(name)) == group:
            return int(name)
    sys.exit("page_cost.py: the program has no thread named page_server")


class Looker:
    """Asks for the state as the page in a browser does."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.number = 0

    def look(self, seconds):
        states = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.monotonic()
            self.connection.request("GET", f"/state.json?since={self.number}")
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status == 200:
                states += 1
                self.number = json.loads(text)["number"]
            time.sleep(max(0.0, PERIOD_S - (time.monotonic() - start)))
        return states


def measure(port, group, seconds):
    pid = page_process(group)
    looker = Looker(port)
    looker.look(1)
    before = thread_times(pid)
    start = time.monotonic()
    states = looker.look(seconds)
    wall = time.monotonic() - start
    after = thread_times(pid)
    by_name = {}
    for task, (name, nanoseconds) in after.items():
        spent = nanoseconds - before.get(task, (name, 0))[1]
        by_name[name] = by_name.get(name, 0) + spent
    total = sum(by_name.values())
    page = sum(by_name.get(name, 0) for name in PAGE_THREADS)
    print(f"{states / wall:.1f} states a second, for {wall:.0f} s")
    for name, nanoseconds in sorted(by_name.items(), key=lambda it: -it[1]):
        print(f"  {name:16} {nanoseconds / wall / 1e6:8.2f} ms a second")
    print(f"the page's threads: {page / wall / 1e6:.2f} ms a second, "
          f"{100 * page / total:.2f} % of the time of the process")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("program", nargs="+")
    flags = parser.parse_args()
    program = subprocess.Popen(flags.program, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    try:
        said = ""
        for line in program.stdout:
            said += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                time.sleep(2)  # The start is not measured.
                measure(int(found[1]), program.pid, flags.seconds)
                return
        sys.exit("page_cost.py: the program has told no page:\n" + said)
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGTERM)
        program.wait()


if __name__ == "__main__":
    main()
