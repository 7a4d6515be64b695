"""C++: names, strings, closing comments and macros, after the rule.

    port_cpp(edit, port)

goes through the tokens of one file and leaves the changes in `edit`.  Includes
are include_port.py's, Abseil's differences abseil_port.py's.
"""
from port import abseil, abseil_port, added_includes, cpp_tokens, findings, include_port, syntax
from port.conditions import dead_regions
from port.names import is_closing_comment, translate, written


def port_cpp(edit, port):
    """Ports the C++ text of `edit` by what `port` (port.py) knows."""
    edit.dead_regions = dead_regions(edit.text)
    tokens = cpp_tokens.tokens(edit.text)
    if not edit.path.endswith(".inc"):  # which may be a part of anything
        syntax.check_cpp(edit, tokens)
    code = cpp_tokens.code(tokens)
    included, dead = include_port.port_includes(edit, tokens, port)
    include_port.port_asked(edit, port)
    for token in tokens:
        if token.kind == "comment":
            _comment(edit, token)
        elif token.kind in ("string", "raw"):
            _string(edit, token, port)
        elif token.kind == "name":
            _name(edit, token, port)
    abseil_port.port_abseil(edit, code, port)
    _find_names(edit, code, port)
    _find_paths(edit, code, port)
    _find_one_euro(edit, code, included, port)
    added_includes.add(edit, tokens, included, port)
    port.includes[edit.path] = included - dead


def _comment(edit, token):
    start = edit.text.rfind("\n", 0, token.start) + 1
    if is_closing_comment(token.text, edit.text[start:token.start]):
        edit.replace_token(token, translate(token.text), "comments that close code")


_ONE_EURO = "util/filtering/one_euro_filter.h"
_LONGEST_CALL = 200  # tokens
_BEGINNINGS = ('"mediapipe', '"./mediapipe/"', '"/mediapipe/"')


def _string(edit, token, port):
    start, end = cpp_tokens.literal_body(token)
    body = token.text[start:end]

    def rule(text):
        return port.scripts.code(port.strings.translate(text))

    new = rule(body) if token.kind == "raw" else written(body, rule)
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


def _find_paths(edit, code, port):
    """Reports paths that are put together from "mediapipe" and the name of a folder."""
    for index, first in enumerate(code):
        if first.kind != "string" or not first.text.startswith(_BEGINNINGS):
            continue
        if first.text.endswith('mediapipe/"'):
            edit.find(first.start, 'begins a path that is put together: "mediapipe/" is "'
                      f'{_root(port)}" here')
        elif first.text == '"mediapipe"' and [t.text for t in code[index + 1:index + 2]] == [","]:
            second = (code[index + 2:index + 3] or [first])[0]
            folder = second.text.strip('"').split("/")[0]
            if second.kind == "string" and folder in port.strings.folders:
                moved = port.tree.moved_path("mediapipe/" + folder)
                edit.find(first.start, f'"mediapipe/{folder}" is "{moved}" here, and is put '
                          "together of parts: write it so")


def _find_one_euro(edit, code, included, port):
    """Notes calls whose last two arguments older releases take the other way round."""
    calls = [token for index, token in enumerate(code)
             if token.text == "Apply" and code[index - 1].text in (".", "->")
             and _num_arguments(code, index + 1) == 3]
    if calls and any(path.endswith(_ONE_EURO)
                     for path in included | added_includes.through_own(included, port)):
        for token in calls:
            edit.find(token.start, "OneEuroFilter::Apply takes (timestamp, value, value_scale) here, "
                      "and in older releases probably the scale before the value; both are numbers: "
                      "look at this call", hand=False)


def _num_arguments(code, index):
    """How many there are in the parentheses that open at `index`; 0 if none do, or none close."""
    depth, commas = 0, 0
    for place in range(index, min(index + _LONGEST_CALL, len(code))):
        sign = code[place].text
        if sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
        elif sign == "," and depth == 1:
            commas += 1
        if depth == 0:
            return commas + 1 if place > index + 1 else 0
    return 0


def _root(port):
    """What a path of MediaPipe's begins with here, if it is one of the tree's."""
    place = port.tree.moved_path(port.tree.place or "mediapipe")
    return place and place + "/"


def _is_namespace(code, index):
    return index + 1 < len(code) and code[index + 1].text in ("::", "{")
