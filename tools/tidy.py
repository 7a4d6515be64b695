#!/usr/bin/env python3
"""Checks what the compiler does not: `./bazelw test //tools:tidy_test`.

Of every source file under the root (of the tree as it is, tracked or not):
  - includes, proto imports and deps follow the layers (tidy_layers.py);
  - a library names the library of each header it includes (tidy_deps.py);
  - CUDA headers appear in gpu/cuda/ and in .cu files only, and these, with
    all that they include, go without Abseil; locks come from base/mutex.h
    and base/cond_var.h;
  - a header has its guard, a file opens with a comment;
  - each source is named in the BUILD file of its package (no dead files);
  - the tests that a comment names after "Tested by" are targets;
  - line length, blanks, and words that must not be committed;
  - links between Markdown pages lead somewhere;
  - the glossary is short, and words have one meaning (tidy_words.py).

Usage: tidy.py [ROOT].  Prints path:line: reason; exits 1 if there is any.
"""
import ast
import fnmatch
import os
import re
import sys

import tidy_build
import tidy_deps
import tidy_words
from tidy_layers import CUDA_HEADER, is_test, place, reach_why_not, why_not

# Code as the users of another framework write it, and what becomes of that.
NOT_OURS = "tools/port/testdata"
CPP = (".h", ".cc", ".cu")
CODE = CPP + (".proto", ".py", ".sh", ".bzl", ".pbtxt")
SCRIPTS = ("bazelw", "setup", ".ci/run")
LINE_LIMITS = {".h": 80, ".cc": 80, ".cu": 80, ".proto": 80}
LINE_LIMIT = 100
UNLIMITED = (".md", ".pbtxt", ".txt")

# Written in two parts, so that this file passes its own check.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
OUTSIDE = re.compile(r"\.\./sha" r"red\b|/tmp/no" r"te\b")
LOCK_HEADERS = ("framework/base/mutex.h", "framework/base/cond_var.h")
RAW_LOCK = re.compile(r"\b(std::(recursive_|shared_|timed_)*mutex|absl::Mutex)")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
IMPORT = re.compile(r'import\s+(?:public\s+|weak\s+)?"([^"]+)"')
RAW_STRING = re.compile(r'R"(\w*)\(')
TESTED_BY = re.compile(r"\bTested by\b[^.;]*")
TEST_NAME = re.compile(r"(?<![\w*])\w+_test\b")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def source_files(root):
    """Paths from `root` of all files that are not build output or hidden."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(
            d for d in subfolders
            if (not d.startswith(".") or d == ".ci") and
            not d.startswith("bazel-") and d != "__pycache__" and
            os.path.relpath(os.path.join(folder, d), root) != NOT_OURS)
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if not os.path.islink(os.path.join(root, path)):
                yield path


def suffix(path):
    return os.path.splitext(path)[1]


def is_build(path):
    return os.path.basename(path) in ("BUILD", "WORKSPACE")


class Tidy:
    """One pass over a tree; the findings are in `found`."""

    def __init__(self, root):
        self.root = root
        self.found = []
        self.files = list(source_files(root))
        # Of the headers with the same guard, the one with the longest path.
        self.guards = {}
        for path in sorted(self.files, key=lambda p: p.count("/")):
            self.guards[self.guard_of(path)] = path
        self.texts = {}
        self.tests = set()  # the names of all targets that are tests
        self.reached = {}
        self.libraries = tidy_deps.Libraries()
        for path in self.files:
            known = suffix(path) in CODE + (".md", ".BUILD")
            if known or is_build(path) or path in SCRIPTS:
                with open(os.path.join(root, path), errors="replace") as f:
                    self.texts[path] = f.read()

    def report(self, path, line, reason):
        self.found.append(f"{path}:{line}: {reason}")

    def run(self):
        packages = {}
        for path, text in self.texts.items():
            self.check_lines(path, text.split("\n"))
            self.check_opening(path, text)
            if suffix(path) in CPP:
                self.check_includes(path, text.split("\n"))
            if suffix(path) == ".h":
                self.check_guard(path, text)
            if suffix(path) == ".proto":
                self.check_imports(path, text.split("\n"))
            if suffix(path) == ".md":
                self.check_links(path, text.split("\n"))
            self.check_words(path, text.split("\n"))
            if os.path.basename(path) == "BUILD":
                packages[os.path.dirname(path)] = self.read_build(path, text)
        self.check_dead_files(packages)
        self.check_read_by_nvcc()
        for finding in self.libraries.undeclared(self.includes_of):
            self.report(*finding)
        for path, text in self.texts.items():
            if suffix(path) in CPP + (".proto",):
                self.check_tested_by(path, text.split("\n"))
        return self.found

    # --- single lines

    def check_lines(self, path, lines):
        limit = LINE_LIMITS.get(suffix(path), LINE_LIMIT)
        if suffix(path) in UNLIMITED:
            limit = None
        if lines[-1]:
            self.report(path, len(lines), "no newline at the end of the file")
        raw_end = None  # what ends the raw string that this line is in
        for number, line in enumerate(lines, 1):
            in_raw = raw_end is not None
            raw_end = self.raw_string_end(line, raw_end)
            if line != line.rstrip() and suffix(path) != ".md":
                self.report(path, number, "blanks at the end of the line")
            if "\t" in line:
                self.report(path, number, "a tab")
            if UNFINISHED.search(line):
                self.report(path, number, "unfinished: a word like "
                            f'"{UNFINISHED.search(line).group(0)}"')
            if OUTSIDE.search(line):
                self.report(path, number, "names a place outside the project")
            if (limit and len(line) > limit and not in_raw and
                    self.breakable(line, limit)):
                self.report(path, number, f"longer than {limit} columns")

    def check_tested_by(self, path, lines):
        """The sentences "Tested by ...", of comments, may run over lines."""
        comments = [line.lstrip()[2:] if line.lstrip().startswith("//") else "."
                    for line in lines]
        text = "\n".join(comments)
        for sentence in TESTED_BY.finditer(text):
            for name in TEST_NAME.finditer(sentence.group(0)):
                if name.group(0) not in self.tests:
                    start = sentence.start() + name.start()
                    self.report(path, text.count("\n", 0, start) + 1,
                                f"there is no test {name.group(0)}")

    def check_words(self, path, lines):
        found = list(tidy_words.problems(path, lines))
        if path == tidy_words.GLOSSARY:
            found += tidy_words.glossary_problems(lines)
        for number, reason in found:
            self.report(path, number, reason)

    @staticmethod
    def raw_string_end(line, end):
        """What the line after this one waits for, inside a raw string of C++."""
        start = 0
        while True:
            if end is None:
                found = RAW_STRING.search(line, start)
                if not found:
                    return None
                end, start = ")" + found[1] + '"', found.end()
            position = line.find(end, start)
            if position < 0:
                return end
            start, end = position + len(end), None

    def breakable(self, line, limit):
        if re.match(r"\s*#\s*(include|ifndef|define|endif)", line):
            return False
        if "://" in line or 'R"' in line:
            return False
        # A name or a string that is as long as that cannot be broken.
        longest = max(re.findall(r'"[^"]*"|\S+', line), key=len, default="")
        return len(longest) < limit // 2

    # --- whole files

    def check_opening(self, path, text):
        starts = {".h": "//", ".cc": "//", ".cu": "//", ".proto": "//",
                  ".py": ('"""', "#"), ".bzl": ('"""', "#"), ".sh": "#"}
        start = starts.get(suffix(path))
        if path in SCRIPTS or path.startswith("graphs/") and ".pbtxt" in path:
            start = "#"
        if start is None or not text:
            return
        # A header speaks for its implementation and for its test.
        if re.sub(r"(_test)?\.cc$", ".h", path) in self.texts.keys() - {path}:
            return
        body = text.split("\n", 1)[1] if text.startswith("#!") else text
        if not body.lstrip("\n").startswith(start):
            self.report(path, 1, "does not open with a comment on its purpose")

    def check_guard(self, path, text):
        guard = self.guard_of(path)
        # a/b_c.h and a/b/c.h in one file would hide each other: the shorter
        # path gets a longer guard.
        if self.guards[guard] != path:
            guard += "PUBLIC_"
        wanted = (f"#ifndef {guard}\n#define {guard}\n", f"#endif  // {guard}\n")
        if path.startswith("third_party/"):
            return
        if wanted[0] not in text or not text.endswith(wanted[1]):
            self.report(path, 1, f"header guard is not {guard}")

    @staticmethod
    def guard_of(path):
        return "SYNCLINE_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper() + "_"

    def check_includes(self, path, lines):
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if found:
                self.check_include(path, number, *found.groups())
            in_engine = path.startswith("framework/") and not is_test(path)
            if (in_engine and path not in LOCK_HEADERS and
                    RAW_LOCK.search(line.split("//")[0])):
                self.report(path, number,
                            "locks come from framework/base/mutex.h")
        included = self.includes_of(path)
        if suffix(path) == ".cc":
            included += self.includes_of(path.removesuffix(".cc") + ".h")
        without = tidy_deps.first_log_macro(lines, included)
        if without and not path.startswith("tools/port/testdata/"):
            self.report(path, without, 'include "glog/logging.h"')

    def check_include(self, path, number, quote, used):
        if (CUDA_HEADER.fullmatch(used) and suffix(path) != ".cu" and
                not path.startswith("gpu/cuda/")):
            self.report(path, number,
                        "CUDA headers belong in gpu/cuda/ and in .cu files")
        elif quote == '"' and "/" not in used and not CUDA_HEADER.match(used):
            self.report(path, number,
                        f'include "{used}" by its path from the root')
        elif self.is_ours(used):
            self.check_use(path, number, used)

    def includes_of(self, path):
        """The files that a file includes between quotes."""
        found = map(INCLUDE.match, self.texts.get(path, "").split("\n"))
        return [f.group(2) for f in found if f and f.group(1) == '"']

    def check_read_by_nvcc(self):
        """What a .cu file reads, step by step: nvcc takes 1 s for Abseil."""
        found = [path for path in self.texts if suffix(path) == ".cu"]
        seen = set(found)
        for path in found:
            for number, line in enumerate(self.texts[path].split("\n"), 1):
                used = INCLUDE.match(line)
                if not used:
                    continue
                if used.group(2).startswith(("absl/", "google/", "glog/")):
                    self.report(path, number, "nvcc reads this: no Abseil, "
                                "Protobuf or glog in it")
                elif used.group(2) in self.texts and used.group(2) not in seen:
                    seen.add(used.group(2))
                    found.append(used.group(2))

    def check_imports(self, path, lines):
        for number, line in enumerate(lines, 1):
            found = IMPORT.match(line)
            if found and self.is_ours(found.group(1)):
                self.check_use(path, number, found.group(1))

    def is_ours(self, used):
        return os.path.isdir(os.path.join(self.root, used.split("/")[0]))

    def check_use(self, path, number, used):
        reason = why_not(path, used)
        if not reason and place(used) == ("framework", None):
            reached = self.reach(used)
            reason = reached and reach_why_not(path, reached)
        if reason:
            self.report(path, number, f'uses "{used}": {reason}')

    def reach(self, used):
        """The file of the highest layer that a file stands on, or None."""
        used = re.sub(r"\.pb\.h$", ".proto", used)
        if place(used)[1] is not None:
            return used
        if used not in self.reached:
            self.reached[used] = None  # Ends a circle of includes.
            lines = self.texts.get(used, "").split("\n")
            found = [INCLUDE.match(line) or IMPORT.match(line)
                     for line in lines]
            files = filter(None, (self.reach(f[f.lastindex]) for f in found
                                  if f and self.is_ours(f[f.lastindex])))
            self.reached[used] = max(files, default=None,
                                     key=lambda file: place(file)[1])
        return self.reached[used]

    def check_links(self, path, lines):
        fenced = False
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            for target in [] if fenced else LINK.findall(line):
                to = os.path.join(self.root, os.path.dirname(path), target)
                if not os.path.exists(to):
                    self.report(path, number, f'"{target}" does not exist')

    # --- BUILD files

    def read_build(self, path, text):
        """Checks the deps of a BUILD file; returns its strings and globs."""
        strings, globs = set(), []
        try:
            tree = tidy_build.parse(text)
        except SyntaxError as error:
            self.report(path, error.lineno, "cannot be read: " + error.msg)
            return strings, globs
        strings.update(tidy_build.constants(tree))
        for call in tidy_build.calls(tree):
            name = tidy_build.rule_of(call)
            if name == "glob":
                globs += tidy_build.constants(call)
            strings.update(tidy_build.usual_files(call))
            self.tests.update(self.tests_of(path, call))
            self.check_deps(path, call, name)
            self.libraries.read(path, name, call)
        self.check_folder_test(path, tree)
        return strings, globs

    def tests_of(self, path, call):
        folder = os.path.dirname(path)
        return tidy_build.tests_of(
            call, lambda file: os.path.join(folder, file) in self.texts)

    def check_folder_test(self, path, tree):
        """Tests that are declared below it, or without it, would never run."""
        at = max([node.lineno for node in tree.body
                  if isinstance(node, ast.Expr) and
                  tidy_build.rule_of(node.value) == "folder_test"], default=0)
        for call in tidy_build.calls(tree):
            rule = tidy_build.rule_of(call)
            if (rule == "syncline_test" or rule == "syncline_library" and
                    self.tests_of(path, call)) and call.lineno > at:
                self.report(path, call.lineno,
                            "no folder_test() below this test runs it")

    def check_deps(self, path, call, rule):
        keywords = {k.arg: k.value for k in call.keywords}
        test = rule.endswith("_test") or "testonly" in keywords
        user = path
        if "proto" in rule:
            user = os.path.join(os.path.dirname(path), "any.proto")
        for deps in sorted(keywords.keys() & {"deps", "test_deps"}):
            test = test or deps == "test_deps"
            for node in ast.walk(keywords[deps]):
                label = getattr(node, "value", None)
                if isinstance(label, str) and label.startswith("//"):
                    package = label[2:].split(":")[0]
                    reason = why_not(user, package + "/", test)
                    if reason and self.is_ours(package + "/"):
                        self.report(path, node.lineno,
                                    f'dep "{label}": {reason}')

    def check_dead_files(self, packages):
        loads = "\n".join(t for p, t in self.texts.items()
                          if is_build(p) or suffix(p) in (".bzl", ".BUILD"))
        scripts = "\n".join(self.texts.get(s, "") for s in SCRIPTS)
        for path in self.texts:
            if is_build(path) or path in SCRIPTS or suffix(path) == ".md":
                continue
            folder, name = os.path.split(path)
            if not (f":{name}" in loads and suffix(path) in (".bzl", ".BUILD")
                    or f"//{folder}:{name}" in loads or path in scripts or
                    self.named(path, packages)):
                self.report(path, 1, "dead: no target names this file")

    @staticmethod
    def named(path, packages):
        folder = os.path.dirname(path)
        while folder and folder not in packages:
            folder = os.path.dirname(folder)
        strings, globs = packages.get(folder, (set(), []))
        name = os.path.relpath(path, folder or ".")
        if strings & {name, ":" + name, f"//{folder}:{name}"}:
            return True
        if any(fnmatch.fnmatch(name, g.replace("**/", "*")) for g in globs):
            return True
        # [cc_library(name = n, srcs = [n + ".cc"]) for n in [...]], and "%s.cc"
        return any(
            (ending and name.endswith(ending) and
             name[:-len(ending)] in strings)
            for ending in (s.split("%s")[-1] for s in strings
                           if s.startswith((".", "_", "%s"))))


def main():
    here = os.environ.get("SYNCLINE_ROOT", ".")
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else here)
    if not os.path.exists(os.path.join(root, "WORKSPACE")):
        sys.exit(f"tidy: {root} is not the root of the project")
    tidy = Tidy(root)
    found = tidy.run()
    if not tidy.texts:
        sys.exit(f"tidy: no source found under {root}")
    print("\n".join(found), end="\n" if found else "")
    print(f"tidy: {len(tidy.texts)} files, {len(found)} findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
