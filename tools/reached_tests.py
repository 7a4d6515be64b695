"""Which tests a change can reach, nearest first.

    tools/reached_tests.py --since=COMMIT [--limit=N] [--in=//framework/... ...]

Asks git which files differ between COMMIT and the working tree, and Bazel which
tests depend on them.  A test is the nearer the fewer steps of `deps` lie between
it and a changed file.  Prints one label a line, at most N of them; on stderr, how
many tests are reached and how many of them were left out.  Where COMMIT is not
known (a shallow clone), every test of the folders counts as reached.

Used by .ci/run for the sanitizers, which would take hours over everything.
"""
import argparse
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Beyond this many steps nearly everything is reached from nearly everywhere.
DEPTHS = (1, 2, 3, 5, 50)
# They say how the build is done, not what is built.
NO_SOURCES = (".md", ".bazelrc", ".gitignore", ".txt", ".bzl")


def output_of(command):
    done = subprocess.run(command, cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout if done.returncode in (0, 3) else None


def query(expression):
    text = output_of(["./bazelw", "query", "--keep_going", "--noshow_progress",
                      expression])
    if text is None:
        sys.exit(f"reached_tests: bazel query failed: {expression[:200]}")
    return text.split()


def label_of(path):
    package = os.path.dirname(path)
    while package and not os.path.exists(os.path.join(ROOT, package, "BUILD")):
        package = os.path.dirname(package)
    return f"//{package}:{os.path.relpath(path, package or '.')}"


def changed_labels(commit):
    """Labels of the sources that differ, or None where git cannot tell."""
    files = output_of(["git", "diff", "--name-only", "--diff-filter=d", commit])
    if files is None:
        return None
    # A BUILD file alone changes no code; what it declares anew has sources.
    return [label_of(f) for f in files.split("\n")
            if "/" in f and not f.endswith(NO_SOURCES)
            and os.path.basename(f) != "BUILD"]


def tests_among(expression):
    """Those that are no soak or fuzz test.  The tests that a folder's program joins
    count each by itself, and that program does not."""
    return query(f'kind(".*_test rule", {expression})'
                 ' except (attr(tags, "manual", //...) except attr(tags, "joined", //...))'
                 ' except filter(":tests$", //...)')


def tests_within(labels, depth, folders):
    changed = " ".join(f'"{label}"' for label in labels)
    return set(tests_among(f"rdeps({folders}, set({changed}), {depth})"))


def without_their_libraries(tests):
    """Those that need an optional library which this machine lacks.

    They would be skipped as part of a pattern, but asking for one by its name is
    an error.  A library that is missing is a constraint //:no_NAME of its
    repository (third_party/system).
    """
    return set(query(
        f'let tests = set({" ".join(tests)}) in'
        " rdeps(deps($tests), filter('//:no_[a-z0-9_]+$', deps($tests)))"
        " intersect $tests")) if tests else set()


def in_turns(tests):
    """One of each package, then another of each, and so on."""
    by_package = {}
    for test in sorted(tests):
        by_package.setdefault(test.split(":")[0], []).append(test)
    ranked = [(rank, test) for package in by_package.values()
              for rank, test in enumerate(package)]
    return [test for _, test in sorted(ranked)]


def reached(labels, folders):
    """All reached tests, nearest first, in the same order each time."""
    known = []
    for depth in DEPTHS:
        known += in_turns(tests_within(labels, depth, folders) - set(known))
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--since", required=True)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--in", nargs="+", dest="folders", default=["//..."])
    arguments = parser.parse_args()
    folders = "set(%s)" % " ".join(arguments.folders)
    labels = changed_labels(arguments.since)
    if labels is None:
        tests = sorted(tests_among(folders))
    else:
        tests = reached(labels, folders) if labels else []
    lacking = without_their_libraries(tests)
    tests = [test for test in tests if test not in lacking]
    taken = tests[:arguments.limit]
    print(f"{len(tests)} tests are reached from what changed since "
          f"{arguments.since}; {len(tests) - len(taken)} left out;"
          f" {len(lacking)} more lack an optional library here",
          file=sys.stderr)
    for test in taken:
        print(test)


if __name__ == "__main__":
    main()
