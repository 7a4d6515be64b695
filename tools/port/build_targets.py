"""Which targets a BUILD file makes, read without Bazel.

BUILD files are read as Python, which they nearly are.  A rule makes the target
of its `name`; the macros known here make more; a list comprehension over
literals is gone through.
"""
import ast
import re
from collections import namedtuple

# One call that makes a target; variables: those of its loop, and the constants of the file.
Call = namedtuple("Call", "statement call variables")

# macro -> endings: what else it makes; a pair replaces an ending.
_PROTO_LIBRARY = (("_proto", "_cc_proto"), ("_proto", "_options_lib"))
_MACROS = {
    "calculator_graph": ("_binary_graph", "_test"),
    "mediapipe_proto_library": _PROTO_LIBRARY,
    "syncline_proto_library": _PROTO_LIBRARY,
    "syncline_proto": (("_proto", "_cc_proto"),),
}
# macro -> endings of files that it makes, if it does not name them.
_FILES = {
    "data_as_c_string": ("outs", ""),
    "encode_binary_proto": ("output", ".binarypb"),
    "mediapipe_binary_graph": ("output_name", ".binarypb"),
    "syncline_binary_graph": ("output_name", ".binarypb"),
}
_HOLE = re.compile(r"\{(\w*)\}")
_MOST_ITEMS = 20000  # of one constant: a file may add constants to each other without end


def parse(text):
    """The syntax tree, or None for what is no BUILD file."""
    return parse_or_line(text)[0]


def parse_or_line(text):
    """(syntax tree, 0), or (None, the line of the error)."""
    try:
        tree = ast.parse(text.replace("\r\n", "\n"))
        _note_other_names(tree)
        return tree, 0
    except SyntaxError as error:
        return None, error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return None, 1


def _note_other_names(tree):
    """Tells the calls of what a load() or an assignment gives another name here."""
    meant = {}
    for statement in tree.body:
        assigned = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign) and isinstance(assigned, ast.Name):
            meant.update({t.id: meant.get(assigned.id, assigned.id)
                          for t in statement.targets if isinstance(t, ast.Name)})
        elif isinstance(assigned, ast.Call) and getattr(assigned.func, "id", "") == "load":
            meant.update({k.arg: k.value.value for k in assigned.keywords
                          if isinstance(getattr(k.value, "value", None), str)})
    for node in ast.walk(tree) if meant else ():
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in meant:
            node.rule_name = meant[node.func.id]


def loaded(tree):
    """What the file loads from its own workspace, or MediaPipe's, by the names there."""
    found = set()
    for statement in tree.body:
        call = getattr(statement, "value", None)
        if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "load":
            continue
        texts = [getattr(a, "value", None) for a in call.args + [k.value for k in call.keywords]]
        if texts and not str(texts[0]).startswith(("@rules_", "@build_bazel_", "@bazel_")):
            found.update(texts[1:])
    return found


def keyword(call, name):
    for argument in call.keywords:
        if argument.arg == name:
            return argument.value
    return None


def rule(call):
    """The name of the rule that is called: cc_library, of native.cc_library too, and of what a
    load() calls otherwise."""
    return getattr(call, "rule_name", None) or getattr(
        call.func, "id", getattr(call.func, "attr", ""))


def value(node, variables):
    """A string or list from constants and loop variables, or None."""
    try:
        return _value(node, variables)
    except RecursionError:
        return None


class _Table(list):
    """A dict of BUILD files, which in a loop is its keys."""

    def __init__(self, pairs):
        self.pairs = list(pairs)
        super().__init__(key for key, _ in self.pairs)


def _value(node, variables):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item, variables) for item in node.elts]
    if isinstance(node, ast.Dict):
        return _Table([_value(k, variables), _value(v, variables)]
                      for k, v in zip(node.keys, node.values))
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("items", "keys"):
        table = _value(node.func.value, variables)
        if isinstance(table, _Table):
            return table.pairs if node.func.attr == "items" else list(table)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "sorted") and \
            len(node.args) == 1:
        return _value(node.args[0], variables)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
        return _numbers(node)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
        return _formatted(node, variables)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, variables), _value(node.right, variables)
        if isinstance(node.op, ast.Add) and type(left) is type(right) and left is not None \
                and len(left) + len(right) < _MOST_ITEMS:
            return left + right
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _filled(left, [right] if isinstance(right, str) else right)
    return None


def _numbers(call):
    """The texts of the numbers of a range(): they stand only in names."""
    bounds = [_integer(a) for a in call.args]
    if not 1 <= len(bounds) <= 3 or None in bounds or (len(bounds) == 3 and bounds[2] == 0) or \
            len(range(*bounds)) >= _MOST_ITEMS:
        return None
    return [str(number) for number in range(*bounds)]


def _integer(node):
    is_minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    number = getattr(node.operand if is_minus else node, "value", None)
    if type(number) is not int or not -(1 << 31) < number < 1 << 31:
        return None
    return -number if is_minus else number


def _filled(text, values):
    """"%s_%d" % (a, b)"""
    parts = re.split("%[sd]", text)
    if not isinstance(values, list) or len(parts) != len(values) + 1 or "%" in "".join(parts) or \
            not all(isinstance(v, str) for v in values):
        return None
    return parts[0] + "".join(v + part for v, part in zip(values, parts[1:]))


def _formatted(node, variables):
    """"{}_test".format(name)"""
    text = _value(node.func.value, variables)
    values = [_value(a, variables) for a in node.args]
    named = {k.arg: _value(k.value, variables) for k in node.keywords}
    if not isinstance(text, str) or not all(
            isinstance(v, str) for v in [*values, *named.values()]):
        return None
    if _HOLE.sub("", text).count("{") + _HOLE.sub("", text).count("}"):
        return None  # more than Starlark's format() takes, or "{{"
    free = iter(values)
    table = {**{str(i): v for i, v in enumerate(values)}, **named}
    filled = [table.get(hole[1], None) if hole[1] else next(free, None)
              for hole in _HOLE.finditer(text)]
    if None in filled:
        return None
    rest = iter(filled)
    return _HOLE.sub(lambda _: next(rest), text)


def bind(target, bound):
    """name -> value, for one assignment."""
    if isinstance(target, ast.Name):
        return {target.id: bound}
    if isinstance(target, ast.Tuple) and isinstance(bound, list):
        return {t.id: v for t, v in zip(target.elts, bound) if isinstance(t, ast.Name)}
    return {}


def statement_calls(tree):
    """A Call for every call that makes a target; loops gone through."""
    constants = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            constants.update(bind(statement.targets[0], value(statement.value, constants)))
        if not isinstance(statement, ast.Expr):
            continue
        expression = statement.value
        if isinstance(expression, ast.Call):
            yield Call(statement, expression, constants)
        elif isinstance(expression, ast.ListComp) and len(expression.generators) == 1:
            loop = expression.generators[0]
            items = value(loop.iter, constants)
            for item in items if isinstance(items, list) else ():
                if isinstance(expression.elt, ast.Call):
                    yield Call(statement, expression.elt,
                               {**constants, **bind(loop.target, item)})


def variables(tree):
    """name -> value, of the assignments at the top of a file."""
    found = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            found.update(bind(statement.targets[0], value(statement.value, found)))
    return found


def calls(tree):
    """(call, variables) of every call that makes a target."""
    for found in statement_calls(tree):
        yield found.call, found.variables


def strings(node, variables):
    """The strings of a list, in sums and in the branches of selects too."""
    found = []
    for item in ast.walk(node) if node is not None else ():
        text = value(item, variables) if isinstance(item, (ast.Constant, ast.BinOp)) else None
        if isinstance(text, str):
            found.append(text)
    return found


def _usual_files(rule_name, name):
    """attribute -> files that a rule of tools/build_rules/cc.bzl takes if none are named."""
    if rule_name == "syncline_library":
        return {"srcs": [name + ".cc"], "hdrs": [name + ".h"]}
    if rule_name == "syncline_test":
        return {"srcs": [name + ".cc"]}
    if rule_name == "syncline_proto":
        return {"srcs": [name[:-len("_proto")] + ".proto"]}
    return {}


# Who may use a target: all packages of a workspace.
_EVERYWHERE = {"//visibility:public", "//:__subpackages__"}
# All of Abseil, which the rules of tools/build_rules/cc.bzl add to the deps.
ABSEIL = "@com_google_absl//:libs"


def rules(tree):
    """name -> {attribute: strings} of each rule, for deps, srcs, hdrs and exports."""
    found = {}
    for call, variables in calls(tree):
        node = keyword(call, "name")
        name = value(node, variables) if node is not None else None
        if isinstance(name, str):
            found[name] = {a: strings(keyword(call, a), variables)
                           for a in ("deps", "srcs", "hdrs", "exports", "actual")}
            rule_name = rule(call)
            if rule_name in ("syncline_library", "syncline_test"):
                found[name]["deps"] = [*found[name]["deps"], ABSEIL]
            if not found[name]["srcs"] and not found[name]["hdrs"]:
                found[name].update(_usual_files(rule_name, name))
            if (rule_name.endswith("proto_library") or rule_name == "syncline_proto") and \
                    name.endswith("_proto"):
                found.setdefault(name[:-len("_proto")] + "_cc_proto", {"deps": [":" + name]})
    return found


def target_name(call, variables):
    """The name of the target that a call makes, or None."""
    if rule(call) in ("package", "load", "exports_files", "licenses"):
        return None
    node = keyword(call, "name")
    if rule(call) in ("mediapipe_register_type", "syncline_register_type"):
        base = keyword(call, "base_name")
        name = value(base, variables) if base is not None else None
        return name + "_registration" if isinstance(name, str) else None
    if node is None and call.args:
        node = call.args[0]
    name = value(node, variables) if node is not None else None
    return name if isinstance(name, str) else None


def made(call, name):
    """The targets that a call makes beside the one of its name."""
    found = set()
    if rule(call) == "syncline_library" and keyword(call, "test_deps") is not None:
        found.add(name + "_test")
    for ending in _MACROS.get(rule(call), ()):
        if isinstance(ending, str):
            found.add(name + ending)
        elif name.endswith(ending[0]):
            found.add(name[:-len(ending[0])] + ending[1])
    return found


def outputs(call, name, variables):
    """The files that a call makes, as far as it says so."""
    found = set()
    for attribute in ("out", "outs", "output", "output_name"):
        found.update(strings(keyword(call, attribute), variables))
    attribute, ending = _FILES.get(rule(call), ("", ""))
    if attribute and keyword(call, attribute) is None:
        found.add(name + ending)
    return found


def private_names(tree):
    """The names of the targets that other packages, or most of them, may not use."""
    default, found = ["//visibility:public"], set()
    for call, variables in calls(tree):
        visibility = strings(keyword(call, "visibility"), variables)
        if rule(call) == "package":
            default = strings(keyword(call, "default_visibility"), variables) or default
        elif not _EVERYWHERE & set(visibility or default):
            name = target_name(call, variables)
            found |= {name} | made(call, name) if name is not None else set()
    return found


def names(tree):
    """The names of all targets that the file makes."""
    found = set()
    for call, variables in calls(tree):
        if rule(call) == "exports_files" and call.args:
            files = value(call.args[0], variables)
            found.update(n for n in files or () if isinstance(n, str))
        name = target_name(call, variables)
        if name is not None:
            found |= {name} | made(call, name)
    return found
