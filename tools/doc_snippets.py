#!/usr/bin/env python3
"""Turns the code fences of Markdown pages into one gtest source file.

Documentation that is not compiled goes stale.  Every page under docs/ and the
README name their fences so that a test can build and run them:

  ```cpp          declarations at namespace scope (a calculator class); compiled
  ```cpp run      statements; the body of a test of its own
  ```pbtxt        a graph; it must compile to a plan, with the page's calculators
  ```pbtxt fails  a graph that must be refused; every line of the ```text fence
                  that follows must occur in the error

`#include` lines are moved to the top.  Other fences (sh, text) are prose.
A fence with any other word after its language is an error, so that a misspelt
tag cannot quietly turn a test off.

usage: doc_snippets.py PAGE.md... > OUT.cc
"""
import re
import sys

FENCE = re.compile(r"^```(\S*)[ ]*(.*?)\s*$")
KINDS = {("cpp", ""), ("cpp", "run"), ("pbtxt", ""), ("pbtxt", "fails")}
PROSE = {"sh", "text", "diff", "proto", "python", ""}


def fences(path):
    """Yields (language, tag, first line number, [lines])."""
    language = tag = None
    start, body = 0, []
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            line = line.rstrip("\n")
            match = FENCE.match(line)
            if language is None:
                if match:
                    language, tag, start, body = match[1], match[2], number + 1, []
            elif line.strip() == "```":
                yield language, tag, start, body
                language = None
            else:
                body.append(line)
    if language is not None:
        sys.exit(f"{path}:{start - 1}: this fence is never closed")


def quoted(text):
    return 'R"__doc__(' + text + '\n)__doc__"'


class Output:
    def __init__(self):
        self.includes = {
            '#include "docs/snippet_support.h"',
            "#include <gtest/gtest.h>",
        }
        self.parts = []
        self.tests = 0

    def test(self, path, line, body):
        self.tests += 1
        page = re.sub(r"\W", "_", path)
        self.parts.append(f"TEST(Page_{page}, Line{line}) {{\n{body}\n}}\n")

    def code(self, path, line, tag, body):
        kept = []
        for text in body:
            if text.startswith("#include"):
                self.includes.add(text)
                kept.append("")
            else:
                kept.append(text)
        source = f'#line {line} "{path}"\n' + "\n".join(kept)
        if tag == "run":
            self.test(path, line, source)
        else:
            self.parts.append(source + "\n")

    def graph(self, path, line, function, graph, error=None):
        arguments = [quoted(graph), f'"{path}"']
        if error is not None:
            arguments.append(quoted("\n".join(error)))
        self.test(path, line, f"  syncline::docs::{function}({', '.join(arguments)});")

    def page(self, path):
        waiting = None  # a graph that must fail and still lacks its error text
        for language, tag, line, body in fences(path):
            if waiting and language == "text":
                graph_line, graph = waiting
                waiting = None
                self.graph(path, graph_line, "ExpectGraphFails", graph, body)
                continue
            if (language, tag) in KINDS:
                if language == "cpp":
                    self.code(path, line, tag, body)
                elif tag == "fails":
                    waiting = (line, "\n".join(body))
                else:
                    self.graph(path, line, "ExpectGraphCompiles",
                               "\n".join(body))
            elif tag or language not in PROSE:
                sys.exit(f"{path}:{line - 1}: unknown fence '{language} {tag}'")
        if waiting:
            sys.exit(f"{path}:{waiting[0]}: 'pbtxt fails' needs a text fence "
                     "with the error after it")


def main():
    pages = sys.argv[1:]
    if not pages or pages[0] in ("-h", "--help"):
        sys.exit(__doc__)
    out = Output()
    for page in pages:
        out.page(page)
    if not out.tests and not out.parts:
        sys.exit("no snippet in " + " ".join(pages))
    print("// Generated from " + ", ".join(pages) + " by tools/doc_snippets.py.")
    print("\n".join(sorted(out.includes)))
    print("\n".join(out.parts))


if __name__ == "__main__":
    main()
