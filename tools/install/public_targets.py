"""Prints the libraries that an installation consists of, as a .bzl file.

    public_targets.py ROOT

Bazel cannot ask for all targets of some folders in a BUILD file, so this reads
the BUILD files; public_targets.bzl makes a repository of what it prints.  A
library counts if it is public, not for tests only, and needs nothing that a
machine may lack (target_compatible_with).
"""
import ast
import builtins
import os
import sys

ROOT = sys.argv[1]

# The public face: folders, and whether those below them count, too.
FOLDERS = {
    "FRAMEWORK_TARGETS": [
        ("framework", False),
        ("framework/api2", True),
        ("framework/c", False),
        ("framework/deps", False),
        ("framework/formats", True),
        ("framework/port", False),
        ("framework/stream_handler", False),
        ("framework/tool", True),
        ("gpu", False),
        ("gpu/kernels", False),
        ("util", True),
    ],
    "CALCULATOR_TARGETS": [
        ("calculators", True),
        ("graphs", False),
    ],
}
# The target that each rule or macro makes, of its arguments.
KINDS = {
    "cc_library": "{name}",
    "cc_proto_library": "{name}",
    "simple_subgraph": "{name}",
    "syncline_cuda_kernel": "{name}",
    "syncline_library": "{name}",
    "syncline_proto": "{name}",
    "syncline_register_type": "{base_name}_registration",
}
# The argument that names several targets, and the label that each becomes.
FORWARDING = {
    "forwarding_headers": ("headers", "%s"),
    "forwarding_protos": ("protos", "%s_cc_proto"),
}
PUBLIC = ["//visibility:public"]


class _Anything:
    """What a BUILD file names and Python does not know: a rule, a function or a
    value from elsewhere.  Notes the arguments that it is called with."""

    def __init__(self, name, calls):
        self.name = name
        self.calls = calls

    def __call__(self, *positional, **arguments):
        self.calls.append((self.name, arguments))
        return self

    def __add__(self, other):
        return self

    __radd__ = __add__

    def __iter__(self):
        return iter(())


def calls(path):
    """(function, arguments) for each call in a BUILD file."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    found = []
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    known = {name: _Anything(name, found) for name in names
             if not hasattr(builtins, name)}
    # Its language is a part of Python's.
    exec(compile(tree, path, "exec"), known)  # pylint: disable=exec-used
    return found


def targets(folder):
    path = os.path.join(ROOT, folder, "BUILD")
    if not os.path.exists(path):
        return []
    default = []
    result = []
    for function, arguments in calls(path):
        if function == "package":
            default = arguments.get("default_visibility", [])
        if function in FORWARDING and default == PUBLIC:
            names, label = FORWARDING[function]
            result += [f"//{folder}:" + label % name for name in arguments[names]]
        if (function in KINDS and not arguments.get("testonly") and
                "target_compatible_with" not in arguments and
                arguments.get("visibility", default) == PUBLIC):
            name = KINDS[function].format(**arguments)
            if function == "syncline_proto":
                name = name.removesuffix("_proto") + "_cc_proto"
            result.append(f"//{folder}:{name}")
    return result


def folders(folder, below):
    if not below:
        return [folder]
    return [os.path.relpath(place, ROOT)
            for place, _, _ in os.walk(os.path.join(ROOT, folder))]


def main():
    for name, places in FOLDERS.items():
        labels = sorted({label for folder, below in places
                         for place in folders(folder, below)
                         for label in targets(place)})
        print(f"{name} = [")
        for label in labels:
            print(f'    "@syncline{label}",')
        print("]")


if __name__ == "__main__":
    main()
