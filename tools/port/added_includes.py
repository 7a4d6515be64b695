"""Includes that MediaPipe's headers bring along and Syncline's do not: added.

    add(edit, tokens, included, port)

looks at the names that a file uses, as implied.py lists them, and adds the
headers that neither its includes nor those of the tree's own headers bring.

    advice(text, port)

says the same of code that a command or a script writes: nothing is added there,
since what compiles it, and whether it is C++ at all, shows only when it runs.
"""
import re

from port import abseil, abseil_port, cpp_tokens, implied
from port.names import strip_root

_PORT = "framework/port.h"
_ABOUT_PORT = re.compile(
    r"^[^\S\n]*#[^\n]*(?:MEDIAPIPE|SYNCLINE)_(?:DISABLE_GPU|HAS_RTTI)", re.M)
_SYNCLINES = ("framework/", "calculators/")
_WRITTEN_INCLUDE = re.compile(r'#[^\S\n]*include[^\S\n]*\\?["<]([\w./+-]+)\\?[">]')
# Namespaces in which a name of implied.NEEDS is the one that is meant.
_SCOPES = (None, "", "syncline", "tool", "api2")


def add(edit, tokens, included, port):
    """Adds to the file, and to `included`, what it uses without including it."""
    needs = _needs(edit, included, port)
    wanted = {header for header in needs - included if not header.startswith(
        _SYNCLINES) or port.checkout.has_include(header)}
    if not wanted:
        return
    included |= wanted
    port.added[edit.path] = set(wanted)
    # It decides about the #if around other includes, so it comes before all.
    first = [t.start for t in tokens if t.kind == "include"][:1]
    first += [found.start() for found in [_ABOUT_PORT.search(edit.text)] if found]
    if first and _PORT in wanted:
        wanted.remove(_PORT)
        edit.insert(min(first), f'#include "{_PORT}"{edit.newline}', "includes added")
    standard = {header for header in wanted if "/" not in header}
    lines = "".join([f"#include <{header}>{edit.newline}" for header in sorted(standard)] +
                    [f'#include "{header}"{edit.newline}' for header in sorted(wanted - standard)])
    if lines:
        place = _after_includes(edit, tokens)
        unfinished = place and edit.text[place - 1] != "\n"
        edit.insert(place, (edit.newline if unfinished else "") + lines, "includes added")


def advice(text, port):
    """What to add to the code within a ported text, or None."""
    included = set(_WRITTEN_INCLUDE.findall(text))
    if not any(path.startswith(_SYNCLINES) for path in included):
        return None
    # Of a shell's quotes, the code is what stands between them; printf breaks lines at \\n.
    code = cpp_tokens.code(cpp_tokens.tokens(text.replace("'", " ").replace("\\n", "\n")))
    wanted = sorted(header for header in _of_names(code, port.tree) - included -
                    port.checkout.brought_by(included)
                    if not header.startswith(_SYNCLINES) or port.checkout.has_include(header))
    if not wanted:
        return None
    return ("the code that is written here uses what " + ", ".join(wanted) + " has: write the "
            "#include of it too, and add the dep where the code is compiled")


def _needs(edit, included, port):
    """The headers of the names that the ported file uses."""
    code = cpp_tokens.code(cpp_tokens.tokens(edit.result()))
    needs = {implied.REPLACEMENTS[name] for name in abseil_port.written(edit)}
    through = through_own(included, port)
    if any(path.startswith(_SYNCLINES) for path in included | through):
        # Of what another header brings, _PORT comes too late for the #if around includes.
        others = {path for path in included | through if port.tree.ported_file(path) is None}
        there = (port.checkout.brought_by(others) | through) - {_PORT}
        needs |= _of_names(code, port.tree) - there
    return needs


def through_own(included, port):
    """What the tree's own headers include, by the places that it has here."""
    found, waiting = set(), list(included)
    while waiting:
        own = port.tree.ported_file(waiting.pop())
        paths = port.includes.get(own)
        if paths is None:  # not ported yet
            paths = {_ported(path, port) for path in port.tree.included_by.get(own, ())}
        waiting += paths - found
        found |= paths
    return found


def _ported(path, port):
    """What an include of the original will be."""
    mine = port.tree.own_file(path)
    if mine is not None:
        return port.tree.final_path(mine)
    return abseil.HEADERS.get(path) or strip_root(path)


def _of_names(code, tree):
    found = set()
    for i, token in enumerate(code):
        if token.kind != "name":
            continue
        if i and code[i - 1].text in (".", "->"):
            if [t.text for t in code[i + 1:i + 4]] == ["(", ")", "->"]:
                found.add(implied.MEMBERS.get(token.text))
            continue
        scope = abseil_port.scope(code, i)
        name = token.text
        if scope == "std":
            found.add(implied.STANDARD.get(name))
        elif scope == "absl":
            found.add(implied.ABSEIL.get(name))
        elif scope == "proto_ns":
            found.add(implied.PROTOBUF.get(name))
        elif scope in _SCOPES and name not in tree.defined and name not in tree.types:
            called = i + 1 < len(code) and code[i + 1].text == "("
            found.add(implied.NEEDS.get(name) or (
                implied.GLOG if called and scope is None and abseil.log_macro(name) == name
                else None))
    return found - {None}


def _after_includes(edit, tokens):
    """Where a new include belongs: behind the last one that is outside of any #if, and
    before all code."""
    depth, place = 0, None
    guard = _has_guard(tokens)
    line_start = True
    for index, token in enumerate(tokens):
        if token.kind == "newline":
            line_start = True
            continue
        if token.kind in ("blank", "comment"):
            continue
        if token.kind == "include":
            if depth <= guard:
                place = token.start + len(token.text)
        elif line_start and token.text == "#":
            word = next((t.text for t in tokens[index + 1:index + 4] if t.kind == "name"), "")
            depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(word, 0)
        elif line_start and place is not None:
            break  # an #include further down may stand in the midst of a declaration
        line_start = False
    if place is None:
        place = _after_guard(edit, tokens) if guard else 0
    end = edit.text.find("\n", place)
    return 0 if place == 0 else (end + 1 if end >= 0 else len(edit.text))


def _directives(tokens):
    code = cpp_tokens.code(tokens)
    return [t.text for t in code[:6]]


def _has_guard(tokens):
    first = _directives(tokens)
    return first[:2] == ["#", "ifndef"] and first[3:5] == ["#", "define"]


def _after_guard(edit, tokens):
    define = [t for t in cpp_tokens.code(tokens)][5]
    return define.start + len(define.text)
