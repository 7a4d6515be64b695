"""Adds up the test results of several bazel runs.

Arguments: files written by --build_event_json_file.  Prints one line for each
and, last, `N passed, N failed` over all.  A test counts as failed when it
failed, timed out, was flaky or did not build; skipped ones do not count, unless
their labels begin with one of the texts that --needs=TEXT,... names.
Before that, for each test that failed, prints why: the lines of its log that tell of
failures, and the last lines of the log.
Exits 1 if any failed or none passed.
"""
import json
import os
import re
import sys
import urllib.parse

# What is quoted of a log: at most so many lines of either kind, so long each.
MAX_LINES = 25
MAX_COLUMNS = 240

# How tests, sanitizers and Bazel name a failure.
TELLING = re.compile(
    r"Failure$|^\[  FAILED|^Expected|^  Actual|^Value of|^Which is|error:|"
    r"ERROR: |WARNING: ThreadSanitizer|SUMMARY: |Check failed|^F\d{8} |"
    r"TIMED OUT|Segmentation fault|Aborted")


def count(lines, needed=()):
    """Labels of passed and failed tests, out of a run's events."""
    passed, failed, wanted = set(), set(), set()
    for event in map(json.loads, lines):
        identity = event.get("id", {})
        kind = event.get("configured", {}).get("targetKind", "")
        if kind.endswith("_test rule"):
            wanted.add(identity["targetConfigured"]["label"])
        if "testSummary" in event:
            good = event["testSummary"].get("overallStatus") == "PASSED"
            label = identity["testSummary"]["label"]
            (passed if good else failed).add(label)
        if event.get("aborted", {}).get("reason") == "SKIPPED":
            label = identity.get("targetCompleted", {}).get("label", "")
            if not label.startswith(tuple(needed)):
                wanted.discard(label)
    # A test that could not be built has no summary in a --keep_going run.
    return passed, failed | (wanted - passed - failed)


def logs_of_failures(lines):
    """Pairs (label, path of the log) of the test actions that did not pass."""
    for event in map(json.loads, lines):
        result = event.get("testResult")
        if result is None or result.get("status") == "PASSED":
            continue
        for output in result.get("testActionOutput", []):
            if output.get("name") == "test.log":
                path = urllib.parse.unquote(
                    urllib.parse.urlparse(output["uri"]).path)
                yield event["id"]["testResult"]["label"], path


def quote(log):
    """The lines of a log worth reading first, each cut to a line's length."""
    lines = [line.rstrip()[:MAX_COLUMNS] for line in log]
    telling = [i for i, line in enumerate(lines) if TELLING.search(line)]
    chosen = set(range(max(0, len(lines) - MAX_LINES), len(lines)))
    for i in telling[:MAX_LINES]:
        chosen.update((i, min(i + 1, len(lines) - 1)))
    return [lines[i] for i in sorted(chosen)]


def report(name, lines, needed):
    """Prints a run's failures and its sums; returns the numbers of both."""
    for label, path in logs_of_failures(lines):
        print(f"\n--- {name}: {label}")
        try:
            with open(path, errors="replace") as log:
                print("\n".join(quote(log)))
        except OSError as error:
            print(error)
    passed, failed = count(lines, needed)
    return len(passed), sorted(failed)


def main():
    sums, total_passed, total_failed = [], 0, 0
    paths, needed = sys.argv[1:], []
    if paths and paths[0].startswith("--needs="):
        needed = paths.pop(0)[len("--needs="):].split(",")
    for path in paths:
        name = os.path.basename(path).rsplit(".", 1)[0]
        try:
            with open(path) as f:
                passed, failed = report(name, f.readlines(), needed)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}")
            passed, failed = 0, [path]
        sums.append(f"{name}: {passed} test targets passed, "
                    f"{len(failed)} failed")
        sums += [f"  failed: {label}" for label in failed]
        total_passed += passed
        total_failed += len(failed)
    print("", *sums, f"{total_passed} passed, {total_failed} failed", sep="\n")
    sys.exit(1 if total_failed or not total_passed else 0)


if __name__ == "__main__":
    main()
