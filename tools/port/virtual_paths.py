"""Headers and protos that code reaches at other paths than where they lie.

A library may say so by include_prefix, strip_include_prefix or includes, a
proto_library by import_prefix and strip_import_prefix.
"""
import os

from port import build_leaves, build_targets, build_values, own_packages

_HEADERS = ("hdrs", "textual_hdrs")


def paths(port):
    """path in an #include or import of the original -> that path in the copy."""
    found = {}
    for package in port.tree.packages.all():
        for _, call in package.calls():
            if not package.call_is_absent(call):
                found.update(_of_call(port, package, call))
    return found


def _of_call(port, package, call):
    for prefix, strip, attributes in (("include_prefix", "strip_include_prefix", _HEADERS),
                                      ("import_prefix", "strip_import_prefix", ("srcs",))):
        prefix, strip = _text(call, prefix), _text(call, strip)
        if prefix is None and strip is None:
            continue
        new_prefix = port.strings.translate(prefix or "")
        for file in _files(port, package, call, attributes):
            rest = _stripped(port, package, file, strip)
            for path in _with_header(rest) if rest is not None else ():
                yield os.path.join(prefix or "", path), os.path.join(new_prefix, path)
    for leaf in build_leaves.leaves(build_targets.keyword(call.call, "includes"),
                                    package.scope(call)):
        base = os.path.normpath(os.path.join(package.folder, leaf.value))
        start = "" if base == "." else base + "/"
        for file in port.tree.files:
            if file.startswith(start) and file.endswith((".h", ".hpp", ".hh", ".inc", ".proto")):
                for path in _with_header(file[len(start):]):
                    yield path, path


def _text(call, name):
    value = build_values.value(build_targets.keyword(call.call, name), call.variables)
    return value.rstrip("/") if isinstance(value, str) else None


def _files(port, package, call, attributes):
    """The files of a call in the tree, made ones too."""
    for attribute in attributes:
        for leaf in build_leaves.leaves(build_targets.keyword(call.call, attribute),
                                        package.scope(call)):
            if leaf.is_glob:
                yield from own_packages.matching(port.tree.files, package.folder, leaf.value)
            else:
                yield os.path.join(package.folder, leaf.value.lstrip(":"))


def _stripped(port, package, file, strip):
    """A file's path behind what is stripped, or None if it lies elsewhere."""
    if strip is None:
        return os.path.relpath(file, package.folder or ".")
    if strip.startswith("/"):
        file, base = os.path.join(port.tree.place, file), strip[1:]
    else:
        base = os.path.normpath(os.path.join(package.folder, strip))
    if base in ("", "."):
        return file
    return file[len(base) + 1:] if file.startswith(base + "/") else None


def _with_header(path):
    """A path, and that of the header of a .proto."""
    return [path, path[:-len(".proto")] + ".pb.h"] if path.endswith(".proto") else [path]
