#!/usr/bin/env python3
"""The parts of which nodes and runs are made, each with its own tests.

    tools/engine_parts.py           lists them: part: tests, the files of the part
    tools/engine_parts.py --check   says only which part has no test of its own, or
                                    one that needs a graph; exits with 1 if any does

A part is a header of framework/node, framework/report or framework/run with its
sources: X.h, X.cc, and X_more.cc where there is no X_more.h.  Its own tests are
those sources' tests (X_test.cc, X_more_test.cc), and what OTHER_TESTS adds.  They
run it without a graph and without the threads of an executor, so that a fault in
it fails there, and not only in some graph.  plant_faults.py --part=X shows it.
"""
import os
import re
import sys

FOLDERS = ("framework/node", "framework/report", "framework/run",
           "framework/run/preparation")

# Sources that are not called like the part that they belong to.
OTHER_SOURCES = {"framework/node/fused_port_types": "framework/node/fused_parts"}

# Tests that are not called like a source of the part.
OTHER_TESTS = {
    "framework/node/condition_gate": ["condition_gate_facts_test",
                                      "condition_gate_times_test"],
    "framework/node/fused_node": ["fused_cases_test", "fused_contract_test",
                                  "fused_node_errors_test", "fused_paths_test"],
    "framework/node/node": ["node_arrivals_cases_test"],
    "framework/node/node_inputs": ["node_inputs_policy_test",
                                   "node_inputs_shortcuts_test"],
    "framework/report/standstill": ["standstill_loops_test"],
    "framework/report/wait_search": ["standstill_test", "standstill_loops_test"],
    # Its functions are in poller_queue.cc.
    "framework/run/output_stream_poller": ["poller_queue_test"],
}

# Headers with nothing to test: values, and interfaces that others implement.
NO_CODE = {
    "framework/node/inner_queues", "framework/node/invocation",
    "framework/node/node_snapshot", "framework/report/left_at_end",
    "framework/report/node_wait", "framework/report/run_view",
    "framework/report/wait_step", "framework/run/described_observer",
}

# What is made of all parts, or makes them all, executors included: it is tested in
# graphs, or with threads.
COMPOSED = {"framework/run/graph_run",
            "framework/run/preparation/graph_preparation"}

# What waits for other threads, is told by them, or counts what they do: the tests
# of these start threads of their own.
OF_THREADS = {
    "framework/node/call_times", "framework/node/holds", "framework/node/node",
    "framework/node/single_call", "framework/run/error_log",
    "framework/run/graph_input", "framework/run/inside_run",
    "framework/run/observed_output", "framework/run/output_stream_poller",
    "framework/run/output_tap", "framework/run/poller_queue",
    "framework/run/run_life", "framework/run/run_timers",
    "framework/run/running_calls",
}

NO_PART = re.compile(r"_test\.(cc|h)$|/test_|_test_support\.(cc|h)$")
GRAPH = re.compile(r'#include "(framework/graph/|framework/calculator_graph\.h|'
                   r'framework/scheduler/(thread_pool|worker_pool)|testing/)')
THREAD = re.compile(r"\bstd::(thread|jthread|async)\b")


class Part:
    def __init__(self, name):
        self.name = name  # "framework/node/holds"
        self.files = []
        self.tests = []  # "framework/node/holds_test"


def _stem(path):
    return os.path.splitext(path)[0]


def _sources(root, folder):
    for name in sorted(os.listdir(os.path.join(root, folder))):
        path = folder + "/" + name
        if name.endswith((".h", ".cc")) and not NO_PART.search(path):
            yield path


def _part_of(path, headers):
    """The header's stem that the longest part of the file's name is."""
    stem = OTHER_SOURCES.get(_stem(path), _stem(path))
    fitting = [h for h in headers if stem == h or stem.startswith(h + "_")]
    return max(fitting, key=len, default=None)


def parts(root):
    """(the parts by name, what is wrong with the list)."""
    found, wrong = {}, []
    for folder in FOLDERS:
        paths = list(_sources(root, folder))
        headers = {_stem(path) for path in paths if path.endswith(".h")}
        for path in paths:
            name = _part_of(path, headers)
            if name is None:
                wrong.append(f"{path}: belongs to no part: OTHER_SOURCES says to which")
                continue
            part = found.setdefault(name, Part(name))
            part.files.append(path)
            part.tests.append(_stem(path) + "_test")
    for name, tests in OTHER_TESTS.items():
        if name in found:
            found[name].tests += [os.path.dirname(name) + "/" + t for t in tests]
        for test in tests:
            if not os.path.exists(os.path.join(root, os.path.dirname(name), test + ".cc")):
                wrong.append(f"OTHER_TESTS: there is no {test}.cc")
    listed = {*OTHER_SOURCES.values(), *OTHER_TESTS, *NO_CODE, *COMPOSED, *OF_THREADS}
    wrong += [f"{name}: is listed, and there is no such header"
              for name in sorted(listed - found.keys())]
    for part in found.values():
        part.tests = [test for test in dict.fromkeys(part.tests)
                      if os.path.exists(os.path.join(root, test + ".cc"))]
    return found, wrong


def problems(root):
    found, wrong = parts(root)
    for name, part in sorted(found.items()):
        if name in NO_CODE or name in COMPOSED:
            continue
        if not part.tests:
            wrong.append(f"{name}: has no test of its own: write {name}_test.cc, which "
                         "needs no graph, or list it with the reason")
        starts_threads = False
        for test in part.tests:
            with open(os.path.join(root, test + ".cc"), encoding="utf-8") as file:
                text = file.read()
            if GRAPH.search(text):
                wrong.append(f"{test}: needs a graph or the threads of an executor: "
                             f"{name} is to be tested without")
            starts_threads = starts_threads or THREAD.search(text) is not None
        if starts_threads and name not in OF_THREADS:
            wrong.append(f"{name}: its tests start threads: test it without, or list it "
                         "in OF_THREADS")
    return wrong


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = os.environ.get("SYNCLINE_ROOT", root)
    if "--check" not in sys.argv[1:]:
        for name, part in sorted(parts(root)[0].items()):
            tests = " ".join(os.path.basename(test) for test in part.tests)
            kind = ("no code" if name in NO_CODE else
                    "all parts together" if name in COMPOSED else tests)
            print(f"{name}: {kind} ({len(part.files)} files)")
        return
    wrong = problems(root)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
