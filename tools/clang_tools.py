"""Runs clang-format or clang-tidy over the sources of the project.

    ./bazelw run //tools:format [-- --check] [FILE...]
    ./bazelw run //tools:clang_tidy [-- FILE...]

The settings are .clang-format and .clang-tidy; the tree satisfies both.  Where
the program is missing, `run` installs it (a test never installs anything).
"""
import argparse
import multiprocessing.pool
import os
import subprocess
import sys

import compile_commands
import tidy

ROOT = os.environ["SYNCLINE_ROOT"]


def require(program):
    """Installs clang's packages if `program` is not there."""
    if os.path.exists("/usr/bin/" + program):
        return
    script = ('. "$0/third_party/packages.sh"; '
              'install_missing "$1 is needed" "$1"')
    if subprocess.run(["bash", "-c", script, ROOT, program]).returncode:
        sys.exit(1)


def sources(chosen, suffixes):
    """Paths from the root: those named by the user, or all."""
    where = os.environ.get("BUILD_WORKING_DIRECTORY", ROOT)
    if chosen:
        return [os.path.relpath(os.path.join(where, c), ROOT) for c in chosen]
    return [f for f in tidy.source_files(ROOT) if f.endswith(suffixes)]


def clang_format(files, check):
    program = "clang-format-14"
    if not files:
        sys.exit("format: no source found")
    if not check:
        return subprocess.run([program, "-i", *files], cwd=ROOT).returncode
    done = subprocess.run([program, "--dry-run", *files], cwd=ROOT, text=True,
                          stderr=subprocess.PIPE)
    wrong = {line.split(":")[0] for line in done.stderr.splitlines()
             if "-Wclang-format-violations" in line}
    for path in sorted(wrong):
        print(f"{path}: not formatted")
    print(f"format: {len(files)} files, {len(wrong)} to be formatted by "
          "./bazelw run //tools:format")
    return 1 if wrong else done.returncode


def clang_tidy(files):
    known = {os.path.relpath(e["file"], ROOT)
             for e in compile_commands.write(ROOT)}
    for path in sorted(set(files) - known):
        print(f"{path}: no target compiles it here, so it is not checked")
    files = [f for f in files if f in known]

    def check(path):
        done = subprocess.run(
            ["clang-tidy-14", "--quiet", "-p", ROOT, os.path.join(ROOT, path)],
            cwd=ROOT, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        return path, done.returncode, done.stdout

    failed = 0
    with multiprocessing.pool.ThreadPool() as pool:
        for path, code, text in pool.imap_unordered(check, files):
            if code:
                failed += 1
                print(f"--- {path}\n{text}", flush=True)
    print(f"clang-tidy-14: {len(files)} files, {failed} with findings")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=["format", "clang-tidy"])
    parser.add_argument("--check", action="store_true",
                        help="format: change nothing, only report")
    parser.add_argument("--never-install", action="store_true")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if not args.never_install:
        require("clang-%s-14" % args.tool.replace("clang-", ""))
    if args.tool == "format":
        suffixes = (".h", ".cc", ".cu", ".proto")
        sys.exit(clang_format(sources(args.files, suffixes), args.check))
    sys.exit(clang_tidy(sources(args.files, (".cc",))))


if __name__ == "__main__":
    main()
