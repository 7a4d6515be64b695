"""Which targets a BUILD file makes, read without Bazel.

BUILD files are read as Python, which they nearly are.  A rule makes the target
of its `name`; the macros known here make more; a list comprehension over
literals is gone through.
"""
import ast

# macro -> endings: what else it makes; a pair replaces an ending.
_MACROS = {
    "calculator_graph": ("_binary_graph", "_test"),
    "mediapipe_proto_library": (("_proto", "_cc_proto"),),
    "syncline_proto_library": (("_proto", "_cc_proto"),),
    "syncline_proto": (("_proto", "_cc_proto"),),
}


def parse(text):
    """The syntax tree, or None for what is no BUILD file."""
    try:
        return ast.parse(text.replace("\r\n", "\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def keyword(call, name):
    for argument in call.keywords:
        if argument.arg == name:
            return argument.value
    return None


def _value(node, variables):
    """A string or list from constants and loop variables, or None."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item, variables) for item in node.elts]
    if isinstance(node, ast.Dict):
        return [_value(item, variables) for item in node.keys]
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("items", "keys"):
        entries = node.func.value
        if isinstance(entries, ast.Dict):
            keys = _value(entries, variables)
            return [[k, None] for k in keys] if node.func.attr == "items" else keys
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, variables), _value(node.right, variables)
        if isinstance(node.op, ast.Add) and type(left) is type(right) and left is not None:
            return left + right
        if isinstance(node.op, ast.Mod) and isinstance(left, str) and isinstance(right, str):
            return left.replace("%s", right)
    return None


def _bind(target, value):
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple) and isinstance(value, list):
        return {t.id: v for t, v in zip(target.elts, value) if isinstance(t, ast.Name)}
    return {}


def calls(tree, variables=None):
    """(call, variables) of every call that makes a target; loops gone through."""
    constants = dict(variables or {})
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            constants.update(_bind(statement.targets[0], _value(statement.value, constants)))
        if not isinstance(statement, ast.Expr):
            continue
        value = statement.value
        if isinstance(value, ast.Call):
            yield value, constants
        elif isinstance(value, ast.ListComp) and len(value.generators) == 1:
            loop = value.generators[0]
            for item in _value(loop.iter, constants) or []:
                if isinstance(value.elt, ast.Call):
                    yield value.elt, {**constants, **_bind(loop.target, item)}


def strings(node, variables):
    """The strings of a list, in sums and in the branches of selects too."""
    found = []
    for item in ast.walk(node) if node is not None else ():
        value = _value(item, variables) if isinstance(item, (ast.Constant, ast.BinOp)) else None
        if isinstance(value, str):
            found.append(value)
    return found


def _usual_files(rule, name):
    """attribute -> files that a rule of tools/build_rules/cc.bzl takes if none are named."""
    if rule == "syncline_library":
        return {"srcs": [name + ".cc"], "hdrs": [name + ".h"]}
    if rule == "syncline_test":
        return {"srcs": [name + ".cc"]}
    if rule == "syncline_proto":
        return {"srcs": [name[:-len("_proto")] + ".proto"]}
    return {}


# All of Abseil, which the rules of tools/build_rules/cc.bzl add to the deps.
ABSEIL = "@com_google_absl//:libs"


def rules(tree):
    """name -> {attribute: strings} of each rule, for deps, srcs, hdrs and exports."""
    found = {}
    for call, variables in calls(tree):
        node = keyword(call, "name")
        name = _value(node, variables) if node is not None else None
        if isinstance(name, str):
            found[name] = {a: strings(keyword(call, a), variables)
                           for a in ("deps", "srcs", "hdrs", "exports", "actual")}
            rule = getattr(call.func, "id", "")
            if rule in ("syncline_library", "syncline_test"):
                found[name]["deps"] = [*found[name]["deps"], ABSEIL]
            if not found[name]["srcs"] and not found[name]["hdrs"]:
                found[name].update(_usual_files(rule, name))
            if (rule.endswith("proto_library") or rule == "syncline_proto") and \
                    name.endswith("_proto"):
                found.setdefault(name[:-len("_proto")] + "_cc_proto", {"deps": [":" + name]})
    return found


def outputs(tree):
    """The files that the rules of a BUILD file make, as far as they say so."""
    found = set()
    for call, variables in calls(tree):
        for attribute in ("out", "outs", "output", "output_name"):
            found.update(strings(keyword(call, attribute), variables))
    return found


def names(tree):
    """The names of all targets that the file makes."""
    found = set()
    for call, variables in calls(tree):
        rule = getattr(call.func, "id", "")
        if rule == "exports_files" and call.args:
            found.update(n for n in _value(call.args[0], variables) or [] if n)
        node = keyword(call, "name")
        if node is None and call.args and rule not in ("package", "load", "exports_files"):
            node = call.args[0]
        name = _value(node, variables) if node is not None else None
        if not isinstance(name, str):
            continue
        found.add(name)
        if rule == "syncline_library" and keyword(call, "test_deps") is not None:
            found.add(name + "_test")
        for ending in _MACROS.get(rule, ()):
            if isinstance(ending, str):
                found.add(name + ending)
            elif name.endswith(ending[0]):
                found.add(name[:-len(ending[0])] + ending[1])
    return found
