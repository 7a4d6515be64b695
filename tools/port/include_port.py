"""Includes: "mediapipe/X" becomes "X", or the place that X moves to.

What the checkout does not have is reported with its line and with what to do.
"""
import re

from port import abseil, cpp_tokens, findings, implied
from port.names import strip_root, translate

_RULE = "includes"
_ASKED = re.compile(r"(?:__has_include\s*\(|#\s*define\s+\w+)\s*<(mediapipe/[^>\n]+)>")


def port_includes(edit, tokens, port):
    """Ports the include lines; returns the paths that the file includes then, and
    those of them that are never compiled."""
    included, compiled = set(), set()
    seen, mapped = set(), set()
    depth = 0
    for index, token in enumerate(tokens):
        if token.kind == "sign" and token.text == "#":
            word = next((t.text for t in tokens[index + 1:index + 3] if t.kind == "name"), "")
            depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(word, 0)
        if token.kind != "include":
            continue
        old = cpp_tokens.include_path(token)
        new = _target(edit, token, old, port)
        if new is None or ((new, depth) in seen and (new != old or new in mapped)):
            edit.remove_line(token.start + len(token.text), _RULE)
            continue
        seen.add((new, depth))
        included.add(new)
        if not edit.is_dead(token.start):
            compiled.add(new)
        is_librarys = new.startswith("absl/") or new in implied.LABELS
        if is_librarys and not old.startswith("mediapipe/") and new != old:
            mapped.add(new)
        if new != old:
            _rewrite(edit, token, old, new)
        else:
            _check_unchanged(edit, token, old, port)
    return included, included - compiled


def port_asked(edit, port):
    """Ports <paths> that are no includes: __has_include(<x>), #define X <x>."""
    for found in _ASKED.finditer(edit.text):
        own = port.tree.own_file(found[1])
        new = port.tree.final_path(own) if own is not None else strip_root(found[1])
        edit.replace(found.start(1), found.end(1), new, _RULE)


def _rewrite(edit, token, old, new):
    text = token.text
    quote = text.rindex(old) - 1
    if text[quote] == "<" and new.startswith(("absl/", "framework/", "glog/")):
        edit.replace(token.start + quote, token.start + len(text), f'"{new}"', _RULE)
    else:
        start = token.start + quote + 1
        edit.replace(start, start + len(old), new, _RULE)


def _target(edit, token, path, port):
    """What to include in place of `path`; None for nothing."""
    if path in abseil.HEADERS:
        return abseil.HEADERS[path]
    if path in abseil.STD_HEADERS and not cpp_tokens.is_quoted_include(token):
        return abseil.STD_HEADERS[path] if port.options.std_types else path
    own = port.tree.own_file(path)
    if own is not None and (path.startswith("mediapipe/") or port.options.at is not None):
        return port.tree.final_path(own)
    if own is None and path in port.virtual:
        return port.virtual[path]
    if not path.startswith("mediapipe/"):
        return path
    new = strip_root(path)
    if port.checkout.has_include(new):
        return new
    if port.checkout.has_include(translate(new)):
        return translate(new)
    source = re.sub(r"\.h$", ".cc", new)
    if source != new and source in port.checkout.registered().values():
        edit.find(token.start + len(token.text),
                  f'"{new}" is left out: the class is in "{source}" here, and is called by its '
                  "registered name", hand=False)
        return None
    folder, _, name = path.rpartition("/")
    package = port.tree.packages.get(folder)
    if package is not None and package.may_make(name):
        final = port.tree.moved_path(path)
        edit.find(token.start + len(token.text),
                  f'a macro of the tree is taken to make "{final}"', hand=False)
        return final
    _missing(edit, token, new, port)
    return new


def _missing(edit, token, path, port):
    advice = findings.include_advice(path)
    if advice is None:
        near = port.checkout.nearest_header(path)
        advice = (f'the nearest is "{near}"' if near else
                  "port the file with this one, or do without it")
    edit.find(token.start + len(token.text),
              f'Syncline has no "{path}": {advice}')


def _check_unchanged(edit, token, path, port):
    if not cpp_tokens.is_quoted_include(token) and not path.startswith("absl/"):
        return
    own = port.tree.own_file(path)
    folder = port.tree.final_path(edit.path).rpartition("/")[0]
    beside = port.tree.beside(edit.path, path) or path in port.virtual
    if own is not None or beside or port.checkout.has_include(path):
        if own is not None and port.tree.final_path(own) != path:
            edit.find(token.start + len(token.text),
                      f'"{path}" moves to "{port.tree.final_path(own)}": say --at='
                      f"{port.tree.at} to have it rewritten, or put the tree at its old place")
        return
    if folder and port.checkout.has_include(folder + "/" + path):
        return
    if not port.checkout.has_system_include(path):
        advice = findings.include_advice(path)
        edit.find(token.start + len(token.text),
                  f'neither this tree, Syncline nor the machine has "{path}"' +
                  (f": {advice}" if advice else ""))
