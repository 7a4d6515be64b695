"""Says how large the engine is, and which of its classes and folders are too large.

    tools/engine_size.py [--check] [ROOT]

The engine is framework/ without what is public only (formats, api2, tool, c, deps,
port, stream_handler, and the headers at the top), without tests and what is for tests.
Prints lines of code (no comments, no blanks) and files of each folder, the lines
of framework's BUILD files, and every class with more than 15 data members or 300
lines.  With --check it exits with 1 if a class has over 20 data members or 600
lines with its inline parts, or a folder over 60 files; and prints only that.

Data members are found in the text of a class: a statement directly inside its braces
that is no function, type, friend or static variable is one.
"""
import argparse
import collections
import os
import re
import sys

PUBLIC = ("formats", "api2", "tool", "c", "deps", "port", "stream_handler")
MEMBERS, LINES, FILES = 20, 600, 60
FOR_TESTS = re.compile(r"_test\.cc$|(?:^|/)test_|_suite\.h$|/testdata/|test_support")

COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|(R"(\w*)\(.*?\)\2"|"(?:\\.|[^"\\\n])*"|'
    r"'(?:\\.|[^'\\\n])+')", re.S)
CLASS = re.compile(
    r"\b(?:class|struct)\s+(?:alignas\(\d+\)\s*|ABSL_\w+(?:\([^()]*\))?\s+)*"
    r"(\w+(?:::\w+)*)(?:\s+final)?\s*(?::[^:].*)?$", re.S)
ANNOTATION = re.compile(r"\b(?:ABSL_\w+|alignas)\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?")
LABEL = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)")
NO_MEMBER = re.compile(
    r"^(?:using|friend|typedef|static|enum|template|namespace|(?:class|struct)\s+\w+$)\b")


def without_comments(text):
    """The code; a string or character becomes an empty string."""
    def replace(match):
        kept = "\n" * match.group(0).count("\n")
        return '""' + kept if match.group(1) else kept or " "
    return COMMENT.sub(replace, text)


def lines_of_code(text):
    return sum(1 for line in without_comments(text).split("\n") if line.strip())


def without_templates(statement):
    """The statement without what is between angle brackets."""
    before = None
    while before != statement:
        before = statement
        statement = re.sub(r"<[^<>]*>", " ", statement)
    return statement


def is_member(statement):
    statement = LABEL.sub("", statement)
    while LABEL.match(statement):
        statement = LABEL.sub("", statement)
    statement = ANNOTATION.sub(" ", statement).strip()
    declared = without_templates(re.split(r"(?<![=!<>])=(?!=)", statement)[0])
    return (bool(declared.strip()) and not NO_MEMBER.match(statement) and
            "(" not in declared and "operator" not in declared and
            not declared.strip().startswith("#"))


class Class:
    """A class as found in a header."""

    def __init__(self, path, name, line):
        self.path, self.name, self.line = path, name, line
        self.members = self.lines = 0

    def __str__(self):
        return (f"{self.path}:{self.line}: {self.name} has {self.members} data "
                f"members and {self.lines} lines")


def classes(path, text):
    """All classes that the text defines, with those inside them."""
    code = re.sub(r"^\s*#.*$", "", without_comments(text), flags=re.M)
    found, open_braces, begin = [], [], 0
    for match in re.finditer(r"[{};]", code):
        statement = code[begin:match.start()]
        inside = open_braces[-1] if open_braces else None
        line = code.count("\n", 0, match.start()) + 1
        if match.group() == "{":
            head = re.sub(r"\btemplate\s*<[^{};]*>", "", LABEL.sub("", statement))
            named = None if re.search(r"\benum\b", head) else CLASS.search(head.strip())
            if named and "(" not in ANNOTATION.sub("", head):
                open_braces.append(Class(path, named.group(1), line))
            elif isinstance(inside, Class) and is_member(statement):
                open_braces.append("value")
            else:
                open_braces.append("other")
        elif match.group() == "}":
            closed = open_braces.pop() if open_braces else None
            if isinstance(closed, Class):
                closed.lines = line - closed.line + 1
                found.append(closed)
            elif closed == "value":
                # `int a{1};`: the semicolon counts it.
                begin = match.start()
                code = code[:match.start()] + "0" + code[match.end():]
                continue
        elif isinstance(inside, Class) and is_member(statement):
            inside.members += 1
        begin = match.end()
    return found


def engine_files(root):
    for place, folders, names in os.walk(os.path.join(root, "framework")):
        folders.sort()
        folder = os.path.relpath(place, root)
        parts = folder.split(os.sep)
        if len(parts) < 2 or parts[1] in PUBLIC:
            continue
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".h", ".cc")) and not FOR_TESTS.search(path):
                yield path


def build_lines(root):
    total = 0
    for place, _, names in os.walk(os.path.join(root, "framework")):
        if "BUILD" in names:
            with open(os.path.join(place, "BUILD"), encoding="utf-8") as file:
                total += sum(1 for _ in file)
    return total


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true",
                        help="print what is too large only, and exit with 1 if it is")
    parser.add_argument("root", nargs="?",
                        default=os.environ.get("SYNCLINE_ROOT", "."))
    arguments = parser.parse_args()
    code, files, large = collections.Counter(), collections.Counter(), []
    for path in engine_files(arguments.root):
        with open(os.path.join(arguments.root, path), encoding="utf-8") as file:
            text = file.read()
        folder = os.path.dirname(path)
        code[folder] += lines_of_code(text)
        files[folder] += 1
        large += [c for c in classes(path, text) if c.members > 15 or c.lines > 300]
    if not files:
        sys.exit(f"engine_size: no engine in {arguments.root}")
    too_large = [str(c) for c in large if c.members > MEMBERS or c.lines > LINES]
    too_large += [f"{folder}: {count} files" for folder, count in sorted(files.items())
                  if count > FILES]
    if arguments.check:
        for line in too_large:
            print("too large:", line)
        sys.exit(1 if too_large else 0)
    print(f"{'lines of code':>13} {'files':>6}")
    for folder in sorted(files):
        print(f"{code[folder]:13} {files[folder]:6}  {folder}")
    print(f"{sum(code.values()):13} {sum(files.values()):6}  the engine")
    print(f"\n{build_lines(arguments.root)} lines in the BUILD files of framework/\n")
    for entry in sorted(large, key=lambda c: -c.members):
        print(entry)


if __name__ == "__main__":
    main()
