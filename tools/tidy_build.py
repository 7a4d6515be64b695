"""What a BUILD file says, as calls of the rules that tidy.py knows.

A BUILD file is Python as far as its syntax goes.  A list that the file names
once (`_GRAPH_TEST = [...]`) is read as if it stood wherever its name does, and
what forwarding_headers() and forwarding_protos() of build_rules/cc.bzl make, as
if it was written out.
"""
import ast

class _Lists(ast.NodeTransformer):
    """Puts the lists of a file in the places of their names."""

    def __init__(self, tree):
        self.lists = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(
                    node.targets[0], ast.Name):
                self.lists[node.targets[0].id] = self.visit(node.value)

    def visit_Name(self, node):  # pylint: disable=invalid-name
        if isinstance(node.ctx, ast.Load):
            return self.lists.get(node.id, node)
        return node


def parse(text):
    """The tree of a BUILD file; raises SyntaxError."""
    tree = ast.parse(text)
    return _Lists(tree).visit(tree)


def rule_of(node):
    return getattr(getattr(node, "func", None), "id", "")


def constants(node):
    return [n.value for n in ast.walk(node)
            if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def arguments_of(call):
    return {k.arg: k.value for k in call.keywords}


def _forwarding(call):
    """(node, name, rule, dep) of all that a call of a forwarding macro makes."""
    given = arguments_of(call)
    if rule_of(call) == "forwarding_headers":
        headers = given["headers"]
        for key, value in zip(headers.keys, headers.values):
            yield key, key.value, "syncline_library", value
    if rule_of(call) == "forwarding_protos":
        for node in given["protos"].elts:
            dep = f"//framework/config:{node.value}_proto"
            yield (node, node.value + "_proto", "syncline_proto",
                   ast.copy_location(ast.Constant(dep), node))


def calls(tree):
    """All calls of rules in the tree."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if not rule_of(node).startswith("forwarding_"):
            yield node
            continue
        for place, name, rule, dep in _forwarding(node):
            call = ast.Call(ast.Name(rule), [], [
                ast.keyword("name", ast.Constant(name)),
                ast.keyword("deps", ast.List([dep]))
            ])
            yield ast.copy_location(call, place)


def stems_of(call):
    """The files of a library or of a test that names none, without endings."""
    given = arguments_of(call)
    if "parts" in given:
        return constants(given["parts"])
    name = getattr(given.get("name"), "value", "")
    return [] if given.keys() & {"srcs", "hdrs"} else [name]


def _tests_of_library(call):
    """The tests that a syncline_library may have."""
    given = arguments_of(call)
    if "test_deps" not in given:
        return []
    if "tests" in given:
        return constants(given["tests"])
    name = getattr(given.get("name"), "value", "")
    parts = constants(given["parts"]) if "parts" in given else []
    return [stem + "_test" for stem in dict.fromkeys([name] + parts)]


def usual_files(call):
    """Files that a rule of build_rules/cc.bzl takes without naming them."""
    rule = rule_of(call)
    given = arguments_of(call)
    name = getattr(given.get("name"), "value", "")
    if rule == "syncline_library":
        return [stem + end for stem in stems_of(call)
                for end in (".h", ".cc")] + [
                    test + ".cc" for test in _tests_of_library(call)]
    if rule == "syncline_test" and "srcs" not in given:
        return [name + ".cc"]
    if rule == "syncline_proto" and "srcs" not in given:
        return [name[:-len("_proto")] + ".proto"]
    return []


def tests_of(call, exists):
    """The names of the tests that a rule makes.

    exists: whether there is a source of that name beside the BUILD file.
    """
    rule = rule_of(call)
    given = arguments_of(call)
    name = getattr(given.get("name"), "value", "")
    if rule == "syncline_library":
        tests = _tests_of_library(call)
        # build_rules/cc.bzl fails where none of several is there.
        return tests if len(tests) == 1 else [
            test for test in tests if exists(test + ".cc")]
    if not rule.endswith("_test"):
        return []
    srcs = constants(given["srcs"]) if "srcs" in given else []
    if len(srcs) == 1:
        return [name]
    # build_rules/cc.bzl makes a test of each source.
    return [name] + [source.removesuffix(".cc") for source in srcs
                     if source.endswith("_test.cc")]
