"""C++: names, strings, closing comments and macros, after the rule.

    port_cpp(edit, port)

goes through the tokens of one file and leaves the changes in `edit`.  Includes
are include_port.py's, Abseil's differences abseil_port.py's.
"""
import re

from port import abseil, abseil_port, cpp_tokens, findings, implied, include_port
from port.conditions import dead_regions
from port.names import is_closing_comment, translate

_PORT = "framework/port.h"
_ABOUT_GPU = re.compile(r"^[^\S\n]*#[^\n]*(?:MEDIAPIPE|SYNCLINE)_DISABLE_GPU", re.M)


def port_cpp(edit, port):
    """Ports the C++ text of `edit` by what `port` (port.py) knows."""
    edit.dead_regions = dead_regions(edit.text)
    tokens = cpp_tokens.tokens(edit.text)
    code = cpp_tokens.code(tokens)
    included, dead = include_port.port_includes(edit, tokens, port)
    for token in tokens:
        if token.kind == "comment":
            _comment(edit, token)
        elif token.kind in ("string", "raw"):
            _string(edit, token, port)
        elif token.kind == "name":
            _name(edit, token, port)
    abseil_port.port_abseil(edit, code, port)
    _find_names(edit, code, port)
    _add_includes(edit, tokens, included, port)
    port.includes[edit.path] = included - dead


def _names_of(code):
    return {token.text for token in code if token.kind == "name"}


def _comment(edit, token):
    start = edit.text.rfind("\n", 0, token.start) + 1
    if is_closing_comment(token.text, edit.text[start:token.start]):
        edit.replace_token(token, translate(token.text), "comments that close code")


def _string(edit, token, port):
    start, end = cpp_tokens.literal_body(token)
    body = token.text[start:end]
    new = port.strings.translate(body)
    if new != body:
        edit.replace(token.start + start, token.start + end, new, "names in strings")


def _name(edit, token, port):
    name = token.text
    if name in abseil.STATUS_MACROS:
        if name not in port.tree.defined:
            edit.replace_token(token, abseil.STATUS_MACROS[name], "status macros")
    elif translate(name) != name:
        edit.replace_token(token, translate(name), "names")


def _find_names(edit, code, port):
    """Reports what has no counterpart here."""
    told = set()
    for index, token in enumerate(code):
        advice = findings.NAME_ADVICE.get(token.text) if token.kind == "name" else None
        if not advice or token.text in told:
            continue
        header, text = advice
        if header and (port.checkout.has_include(header) or
                       port.tree.own_file("mediapipe/" + header)):
            continue
        if token.text == "api3" and not _is_namespace(code, index):
            continue
        told.add(token.text)
        edit.find(token.start, f'"{token.text}" is not there: {text}')


def _is_namespace(code, index):
    return index + 1 < len(code) and code[index + 1].text in ("::", "{")


# --- includes that MediaPipe's headers bring along

def _add_includes(edit, tokens, included, port):
    """Adds the headers of names that the file uses without including them."""
    code = cpp_tokens.code(cpp_tokens.tokens(edit.result()))
    names = _names_of(code)
    needs, standard = [implied.REPLACEMENTS[name] for name in abseil_port.written(edit)], set()
    if any(path.startswith(("framework/", "calculators/")) for path in included):
        # Of what another header brings, _PORT comes too late for the #if around includes.
        there = port.checkout.brought_by(included) - {_PORT}
        needs += {implied.NEEDS[name] for name in names & set(implied.NEEDS)} - there
        standard = {implied.STANDARD[name] for name in _standard_names(code)}
    wanted = set(needs) - included
    wanted = {header for header in wanted
              if port.checkout.has_include(header) or header.startswith(("absl/", "glog/"))}
    standard -= included
    if not wanted and not standard:
        return
    included |= wanted | standard
    # It decides about the #if around other includes, so it comes before all.
    first = [t.start for t in tokens if t.kind == "include"][:1]
    first += [found.start() for found in [_ABOUT_GPU.search(edit.text)] if found]
    if first and _PORT in wanted:
        wanted.remove(_PORT)
        edit.insert(min(first), f'#include "{_PORT}"{edit.newline}', "includes added")
    lines = "".join([f"#include <{header}>{edit.newline}" for header in sorted(standard)] +
                    [f'#include "{header}"{edit.newline}' for header in sorted(wanted)])
    if lines:
        place = _after_includes(edit, tokens)
        unfinished = place and edit.text[place - 1] != "\n"
        edit.insert(place, (edit.newline if unfinished else "") + lines, "includes added")


def _standard_names(code):
    """The names of implied.STANDARD that the code uses as std::NAME."""
    return {name.text for std, colons, name in zip(code, code[1:], code[2:])
            if std.text == "std" and colons.text == "::" and name.text in implied.STANDARD}


def _after_includes(edit, tokens):
    """Where a new include belongs: behind the last one outside of any #if."""
    depth, place = 0, None
    guard = _has_guard(tokens)
    line_start = True
    for index, token in enumerate(tokens):
        if token.kind == "sign" and token.text == "#" and line_start:
            word = next((t.text for t in tokens[index + 1:index + 4] if t.kind == "name"), "")
            depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(word, 0)
        if token.kind == "include" and depth <= guard:
            place = token.start + len(token.text)
        if token.kind == "newline":
            line_start = True
        elif token.kind != "blank":
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
