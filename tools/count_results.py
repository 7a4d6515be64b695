"""Adds up the test results of several bazel runs.

Arguments: files written by --build_event_json_file.  Prints one line for each
and, last, `N passed, N failed` over all.  A test counts as failed when it
failed, timed out, was flaky or did not build; skipped ones do not count.
Exits 1 if any failed or none passed.
"""
import json
import os
import sys


def count(lines):
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
            wanted.discard(identity.get("targetCompleted", {}).get("label"))
    # A test that could not be built has no summary in a --keep_going run.
    return passed, failed | (wanted - passed - failed)


def main():
    total_passed = total_failed = 0
    for path in sys.argv[1:]:
        try:
            with open(path) as f:
                passed, failed = count(f)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}")
            passed, failed = set(), {path}
        name = os.path.basename(path).rsplit(".", 1)[0]
        print(f"{name}: {len(passed)} test targets passed, "
              f"{len(failed)} failed" + "".join(
                  f"\n  failed: {label}" for label in sorted(failed)))
        total_passed += len(passed)
        total_failed += len(failed)
    print(f"{total_passed} passed, {total_failed} failed")
    sys.exit(1 if total_failed or not total_passed else 0)


if __name__ == "__main__":
    main()
