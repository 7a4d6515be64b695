"""Which targets a BUILD file makes, read without Bazel.

BUILD files are read as Python, which they nearly are.  A rule makes the target
of its `name`; the macros known here make more; a list comprehension over
literals is gone through.
"""
import ast
from collections import namedtuple

from port.build_values import BUDGET, CHANGING, Budget, follow, turns, value

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


def parse(text):
    """The syntax tree, or None for what is no BUILD file."""
    return parse_or_line(text)[0]


def parse_or_line(text):
    """(syntax tree, 0), or (None, the line of the error)."""
    try:
        tree = ast.parse(text.replace("\r\n", "\n"))
        _note_other_names(tree)
        tree.body = [one for statement in tree.body for one in _one_by_one(statement)]
        return tree, 0
    except SyntaxError as error:
        return None, error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return None, 1


# Macros of tools/build_rules/cc.bzl that make a target for each item of an argument.
_OF_EACH = {
    "forwarding_headers": ("headers", 'syncline_library(name = {0}, deps = [{1}])'),
    "forwarding_protos": ("protos", 'syncline_proto(name = {0} + "_proto", '
                                    'deps = ["//framework/config:" + {0} + "_proto"])'),
}


def _one_by_one(statement):
    """The statement, or those of the rules that its macro stands for."""
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in _OF_EACH:
        return [statement]
    attribute, text = _OF_EACH[call.func.id]
    items = keyword(call, attribute)
    pairs = (zip(items.keys, items.values) if isinstance(items, ast.Dict)
             else ((item, item) for item in getattr(items, "elts", ())))
    made_of = [ast.parse(text.format(ast.unparse(key), ast.unparse(of))).body[0]
               for key, of in pairs]
    for one in made_of:
        for node in ast.walk(one):
            ast.copy_location(node, statement)
    return made_of


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


def statement_calls(tree, known=()):
    """A Call for every call that makes a target; loops gone through.

    known: name -> value, of what the file loads."""
    constants = {BUDGET: Budget(), **dict(known)}
    for statement in tree.body:
        constants.update(follow(statement, constants))
        expression = getattr(statement, "value", None)
        if not isinstance(statement, ast.Expr) or _changes(expression, constants):
            continue
        if isinstance(expression, ast.Call):
            yield Call(statement, expression, constants)
        generators, made_call = loop_of(statement)
        if generators and isinstance(made_call, ast.Call):
            for turn in turns(generators, constants) or ():
                yield Call(statement, made_call, turn)


def _changes(expression, constants):
    """Whether an expression is N.append(x), or another change of a list or dict of the file."""
    function = getattr(expression, "func", None)
    return getattr(function, "attr", "") in CHANGING and \
        getattr(function.value, "id", None) in constants


def loop_of(statement):
    """(generators, what they make) of a comprehension, and of one in another; of none, ([], the
    expression)."""
    generators, made_of = [], getattr(statement, "value", None)
    while isinstance(made_of, ast.ListComp):
        generators, made_of = generators + made_of.generators, made_of.elt
    return generators, made_of


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
            parts = strings(keyword(call, "parts"), variables)
            rule_name = rule(call)
            if rule_name in ("syncline_library", "syncline_test"):
                found[name]["deps"] = [*found[name]["deps"], ABSEIL]
            if parts:
                found[name].update(srcs=[part + ".cc" for part in parts],
                                   hdrs=[part + ".h" for part in parts])
            elif not found[name]["srcs"] and not found[name]["hdrs"]:
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


# Arguments that name the files that a call makes.
OUTPUTS = ("out", "outs", "output", "output_name")


def outputs(call, name, variables):
    """The files that a call makes, as far as it says so."""
    found = set()
    for node in filter(None, (keyword(call, attribute) for attribute in OUTPUTS)):
        known = value(node, variables)
        found.update(strings(node, variables))
        found.update(text for text in (known if isinstance(known, list) else [known])
                     if isinstance(text, str))
    attribute, ending = _FILES.get(rule(call), ("", ""))
    if attribute and keyword(call, attribute) is None:
        found.add(name + ending)
    return found


def says_outputs(call, variables):
    """Whether it can be told which files a call names that it makes."""
    for node in filter(None, (keyword(call, attribute) for attribute in OUTPUTS)):
        known = value(node, variables)
        if known is None or isinstance(known, list) and None in known:
            # A sum, or a select(), of lists that are written out is known as well.
            if any(isinstance(part, (ast.ListComp, ast.Name, ast.Subscript)) or isinstance(
                    part, ast.Call) and rule(part) != "select"
                   for part in ast.walk(node) if getattr(part, "id", "") != "select"):
                return False
    return True


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
