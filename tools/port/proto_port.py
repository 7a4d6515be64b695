"""Protos and text graphs.

A .proto changes its package, its imports, the types it names and its options.
A text graph loads as it is, with every mediapipe name in it; so it stays
byte for byte, unless --graphs asks for the new names, or it names a class that
the port has renamed.
"""
import re

from port import cpp_tokens, syntax
from port.names import strip_root, translate

_OPTION = re.compile(r"(java_\w+|objc_\w+|csharp_\w+|go_package|php_\w+|ruby_\w+|swift_\w+)$")


def port_proto(edit, port):
    """Ports the .proto text of `edit`."""
    tokens = cpp_tokens.tokens(edit.text)
    syntax.check_cpp(edit, tokens)
    code = cpp_tokens.code(tokens)
    for i, token in enumerate(code):
        before = [t.text for t in code[max(0, i - 3):i]]
        if token.kind == "name" and translate(token.text) != token.text:
            edit.replace_token(token, translate(token.text), "names")
        elif token.text == "edition" and i < 4:
            edit.find(token.start, "Debian's protoc (3.21) reads no editions: write "
                      'syntax = "proto2" or "proto3"')
        elif token.kind not in ("string", "char"):  # 'a' is a string here, too
            continue
        elif before[-1:] == ["import"] or before[-2:] in (["import", "public"], ["import", "weak"]):
            _import(edit, token, port)
        elif before[-1:] == ["="] and len(before) > 1 and _OPTION.match(before[-2]):
            edit.replace_token(token, translate(token.text), "options")
        else:
            edit.replace_token(token, port.strings.translate(token.text), "names in strings")


def _import(edit, token, port):
    path = token.text[1:-1]
    own = port.tree.own_file(path)
    if own is not None and (path.startswith("mediapipe/") or port.options.at is not None):
        new = port.tree.final_path(own)
    elif own is None and path in port.virtual:
        new = port.virtual[path]
    else:
        new = strip_root(path)
        if path != new and port.checkout.has_file(translate(new)):
            new = translate(new)  # as the labels of deps do
        if path != new and not port.checkout.has_file(new):
            near = port.checkout.nearest_header(new)
            edit.find(token.start, f'Syncline has no "{new}": ' +
                      (f'the nearest is "{near}"' if near else "port that file too"))
    edit.replace_token(token, token.text.replace(path, new), "imports")


def port_graph(edit, port):
    """Ports a graph in Protobuf text."""
    syntax.check_graph(edit)
    if port.options.graphs:
        new = port.strings.translate(edit.text)
    else:
        new = port.strings.translate_registered(edit.text)
    if new != edit.text:
        edit.replace(0, len(edit.text), new, "graph text")
    for found in re.finditer(r"""["'](?:\./)?mediapipe/([^"'\n]*)["']""", new):
        edit.find(found.start(), f'names the file "{found.group()[1:-1]}", which the port knows as '
                  f'"{found.group(1)}": --graphs rewrites such paths', hand=False)
