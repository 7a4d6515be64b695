"""Adds up the test results of several bazel runs.

Arguments: files written by --build_event_json_file.  Prints one line for each
and, last, `N passed, N failed` over all.  A test counts as failed when it
failed, timed out, was flaky or did not build; skipped ones do not count.
Exits 1 if any failed or none passed.
"""
import json
import os
import sys


def read(path):
    """Labels of passed and failed tests."""
    passed, failed, built = set(), set(), set()
    with open(path) as f:
        for line in f:
            event = json.loads(line)
            identity = event.get("id", {})
            summary = event.get("testSummary")
            configured = event.get("configured", {})
            if configured.get("targetKind", "").endswith("_test rule"):
                built.add(identity["targetConfigured"]["label"])
            if summary:
                label = identity["testSummary"]["label"]
                good = summary.get("overallStatus") == "PASSED"
                (passed if good else failed).add(label)
            if event.get("aborted", {}).get("reason") == "SKIPPED":
                built.discard(identity.get("targetCompleted", {}).get("label"))
    # A test that could not be built has no summary in a --keep_going run.
    return passed, failed | (built - passed - failed)


def main():
    total_passed = total_failed = 0
    for path in sys.argv[1:]:
        try:
            passed, failed = read(path)
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
