"""Plants one fault at a time into a source file and says which survive a test.

    tools/plant_faults.py FILE... -- COMMAND...
    tools/plant_faults.py --part=PART

A fault is one line changed: a condition negated, a comparison moved by one or
turned round, a statement or a returned value removed, `true` for `false`, `+`
for `-`.  For each, the file is written, the shell runs BUILD and then COMMAND, and
the file is restored.  Where BUILD fails there is no fault: it is not counted.
A fault is caught if COMMAND fails, or takes longer than --timeout seconds.  The
output of BUILD and COMMAND is dropped.  Prints every fault that survives and, last,
how many faults there were.  Exits with 1 if one survives.

    tools/plant_faults.py framework/node/holds.h \\
        --build="./bazelw build //framework/node:holds_test" \\
        -- bazel-bin/framework/node/holds_test

A part is one of engine_parts.py, which knows its files and its own tests:

    tools/plant_faults.py --part=framework/node/holds

Used by hand, for parts of the engine that are to be tested alone.
"""
import argparse
import os
import re
import signal
import subprocess
import sys

import engine_parts

CONDITION = re.compile(r"\b(if|while) \(")
COMPARED = ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "),
            (" == ", " != "), (" != ", " == "))
SWAPPED = ((" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "),
           ("++", "--"), ("--", "++"), ("+=", "-="), ("-=", "+="),
           ("true", "false"), ("false", "true"), ("std::min", "std::max"),
           ("std::max", "std::min"), (" ? ", " ?: "))
RETURNED = re.compile(r"^(\s*)(?:.*\) )?return [^;]+;$")
STATEMENT = re.compile(r"^\s+[A-Za-z_*(][^;]*[^;]\);$|^\s+\S.* [-+|]?= .*;$|"
                       r"^\s+(\+\+|--)\S+;$|^\s+(break|continue|return);$")
DECLARED = re.compile(r"^\s+(const |static |constexpr |auto |using |friend )|"
                      r"^\s+[A-Za-z_:<>,*& ]+[*&>\s][a-z_]+(\(| = |\{|;)")
SKIPPED = ("//", "#", "DCHECK", "static_assert", "namespace", "template")


def closing(code, at):
    """Where the parenthesis at `at` is closed, or -1: on another line."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i
    return -1


def faults_of(line):
    """What the line may become, each with its kind."""
    code = line.split(" //")[0].rstrip()
    if (not code.strip() or code.strip().startswith(SKIPPED)
            or code.endswith("= delete;")):
        return
    condition = CONDITION.search(code)
    if condition:
        end = closing(code, condition.end() - 1)
        if end > 0:
            yield "negated", (code[:condition.end()] + "!("
                              + code[condition.end():end] + ")" + code[end:])
    for old, new in COMPARED:
        for found in re.finditer(re.escape(old), code):
            yield "compared", code[:found.start()] + new + code[found.end():]
    for old, new in SWAPPED:
        if new == " ?: ":
            parts = re.match(r"^(.*) \? ([^:?]+) : ([^:?]+?)(\)*;)$", code)
            if parts:
                yield "swapped", (parts.group(1) + " ? " + parts.group(3) + " : "
                                  + parts.group(2) + parts.group(4))
            continue
        for found in re.finditer(re.escape(old), code):
            if old in ("true", "false") and re.search(
                    r"[a-z_=]$|\*/$", code[:found.start()]) and "*/" not in code:
                continue
            yield "swapped", code[:found.start()] + new + code[found.end():]
    returned = re.search(r"\breturn ([^;]+);", code)
    if returned and returned.group(1) not in ("true", "false"):
        if code.strip().startswith(("if ", "while ")):
            yield "removed", re.match(r"\s*", code).group(0) + ";"
    elif returned and code.strip().startswith("if "):
        yield "removed", re.match(r"\s*", code).group(0) + ";"
    if STATEMENT.match(code) and not DECLARED.match(code):
        yield "removed", re.match(r"\s*", code).group(0) + ";"


def label(path):
    return "//" + os.path.dirname(path) + ":" + os.path.basename(path)


def of_part(name, bazel):
    """(files, build, command) for the own tests of a part."""
    part = engine_parts.parts(os.getcwd())[0].get(name)
    if part is None or not part.tests:
        sys.exit(f"plant_faults: \"{name}\" is no part with a test of its own: "
                 "tools/engine_parts.py lists them")
    tests = " ".join(map(label, part.tests))
    return part.files, f"{bazel} build {tests}", f"{bazel} test {tests}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--build", default="true")
    parser.add_argument("--part", help="its files, against its own tests")
    parser.add_argument("--bazel", default="./bazelw", help="for --part")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--list", action="store_true",
                        help="print the faults, run nothing")
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments = parser.parse_args(sys.argv[1:at])
    command = " ".join(sys.argv[at + 1:])
    if arguments.part:
        arguments.files, arguments.build, command = of_part(
            arguments.part, arguments.bazel)
    if not arguments.files or not command:
        parser.error("FILE... -- COMMAND..., or --part=PART")
    # A file that is interrupted is restored, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def works(command):
        process = subprocess.Popen(command, shell=True, start_new_session=True,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            return process.wait(arguments.timeout) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    if not arguments.list:
        for each in (arguments.build, command):
            if not works(each):
                sys.exit(f"plant_faults: \"{each}\" fails without any fault")
    planted = survived = 0
    for name in arguments.files:
        with open(name, encoding="utf-8") as file:
            lines = file.read().split("\n")
        original = "\n".join(lines)
        try:
            for number, line in enumerate(lines):
                for kind, fault in faults_of(line):
                    text = f"{name}:{number + 1}: {kind}: {fault.strip()}"
                    if arguments.list:
                        print(text)
                        continue
                    with open(name, "w", encoding="utf-8") as file:
                        file.write("\n".join(lines[:number] + [fault]
                                             + lines[number + 1:]))
                    if not works(arguments.build):
                        continue
                    planted += 1
                    if works(command):
                        survived += 1
                        print("survived", text, "   was:", line.strip(), flush=True)
        finally:
            with open(name, "w", encoding="utf-8") as file:
                file.write(original)
    print(f"{planted} faults planted, {survived} survived")
    sys.exit(1 if survived else 0)


if __name__ == "__main__":
    main()
