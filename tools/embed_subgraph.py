#!/usr/bin/env python3
"""Writes the C++ file that registers a graph file as a subgraph, or any file as
a C++ string literal.

usage: embed_subgraph.py NAME GRAPH.pbtxt > OUT.cc
       embed_subgraph.py --literal FILE > OUT.inc

The work behind simple_subgraph() of calculator_graph.bzl, and data_as_c_string()
of framework/tool/syncline_graph.bzl.
"""
import re
import sys


def literal(data):
    """A C++ string literal per line of the text, byte for byte."""
    lines = []
    for line in data.splitlines(keepends=True):
        escaped = ""
        for byte in line:
            char = chr(byte)
            if char in '"\\':
                escaped += "\\" + char
            elif 32 <= byte < 127 and char != "?":
                escaped += char
            else:
                escaped += f"\\{byte:03o}"
        lines.append(f'    "{escaped}"')
    return "\n".join(lines or ['    ""'])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    name, path = sys.argv[1:]
    if name == "--literal":
        with open(path, "rb") as source:
            print(literal(source.read()))
        return
    if not re.fullmatch(r"(::)?[A-Za-z_]\w*(::[A-Za-z_]\w*)*", name):
        sys.exit(f'register_as = "{name}" is not a name of C++: write Name or ::package::Name')
    with open(path, "rb") as graph:
        data = graph.read()
    if b"\0" in data:
        sys.exit(f"{path} holds a zero byte; it is not Protobuf text")
    print(f"""// Generated from {path} by tools/embed_subgraph.py.
#include "framework/subgraph.h"

namespace syncline {{
namespace {{

constexpr char kText[] =
{literal(data)};

REGISTER_SYNCLINE_GRAPH_TEXT({name}, kText, "{path}");

}}  // namespace
}}  // namespace syncline""")


if __name__ == "__main__":
    main()
