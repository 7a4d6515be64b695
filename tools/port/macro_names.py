"""Whether macros name their targets by the name of their call.

What calls a macro of the tree makes `name` and targets whose names begin with it,
if every call in the macro, and in what it calls, is seen to be named so: by the
argument itself, or by what is put together from it and begins with it.  Of any
other macro it is not known what it makes.
"""
import ast
import re

from port import build_targets

_HOLE = re.compile(r"\{(0|[a-z_A-Z]\w*)?\}")
_MOST_CALLED = 500  # macros by one; what calls more may make anything
_LONGEST = 20  # names that stand for each other
_HARMLESS = frozenset((
    "Label", "all", "any", "bool", "depset", "dict", "dir", "enumerate", "fail", "float",
    "getattr", "glob", "hasattr", "hash", "int", "len", "list", "max", "min", "print", "range",
    "repr", "reversed", "select", "sorted", "str", "struct", "tuple", "type", "zip"))


class MacroNames:
    """Of the macros of one tree."""

    def __init__(self, loads):
        self._loads = loads  # own_loads.py
        self._free = {}      # (.bzl file, macro, arguments) -> what _find_free() tells
        self._looked = {}    # the same -> what _look() tells

    def may_be_others(self, call, name, loaded):
        """(whether a call in a BUILD file may make targets whose names do not begin with its own,
        whether it may make files whose names do not, and that it does not say).

        name: what is called; loaded: name -> (.bzl file of the tree, name there)."""
        source = self._loads.resolve(*loaded[name])
        if source is None:
            return True, True
        if source == self._loads.RULE:
            return False, self._makes_other_files(*loaded[name])
        parameters = self._loads.function(*source)[0].args.args
        first = {a.arg for a in parameters[:1]} if call.args else set()
        here = (*source, frozenset(
            {"name"} if build_targets.keyword(call, "name") is not None else first))
        if here not in self._free:
            self._free[here] = self._find_free(here)
        return self._free[here]

    def _makes_other_files(self, path, name):
        """Whether a rule() has outputs of which its calls tell in arguments of other names."""
        made_by = self._loads.rule_call(path, name)
        if build_targets.keyword(made_by, "outputs") is not None:
            return True
        for node in ast.walk(made_by):
            for key, of in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
                if getattr(getattr(of, "func", None), "attr", "").startswith("output") and \
                        getattr(key, "value", None) not in build_targets.OUTPUTS:
                    return True
        return not isinstance(build_targets.keyword(made_by, "attrs"), (ast.Dict, type(None)))

    def _find_free(self, first):
        """Of a macro whose arguments `first[2]` begin with the name of the call."""
        waiting, asked, makes_files = [first], set(), False
        while waiting:
            here = waiting.pop()
            if here in asked:
                continue
            asked.add(here)
            if here not in self._looked:
                try:
                    self._looked[here] = self._look(*here)
                except RecursionError:
                    self._looked[here] = True, True, set()
            is_free, files, called = self._looked[here]
            makes_files |= files
            if is_free or len(asked) > _MOST_CALLED:
                return True, True
            waiting += called
        return False, makes_files

    def _look(self, path, name, given):
        """(whether a macro itself names targets freely, and files; what it calls, and how)."""
        function, loaded = self._loads.function(path, name)
        body = _Body(function, given)
        makes_files, called = False, set()
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            source, base = None, root(call.func)
            if base not in body.bound and base not in _HARMLESS:
                is_own = base in loaded or self._loads.defines(path, base)
                named = loaded.get(base, (path, base))
                if isinstance(call.func, ast.Name):
                    source = self._loads.resolve(*named) if is_own else None
                if is_own and source is None:
                    return True, True, set()  # of a struct, or made by another function
            makes_files |= not body.names_files(call)
            if source in (None, self._loads.RULE):
                if not body.is_named(call):
                    return True, True, set()
                makes_files |= source is not None and self._makes_other_files(*named)
            else:
                called.add((*source, body.given_to(call, self._loads.function(*source)[0])))
        return False, makes_files, called


class _Body:
    """The body of one macro, of which some arguments begin with the name of its call."""

    def __init__(self, function, given):
        self._given = given
        arguments = function.args
        names = {a.arg for a in arguments.args + arguments.kwonlyargs}
        # variable -> what it is bound to; None: one thing after the other
        self.bound = {a.arg: [] for a in ast.walk(arguments) if isinstance(a, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.bound.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.bound.setdefault(node.target.id, []).append(
                    ast.BinOp(ast.Name(node.target.id), node.op, node.value))
            else:
                targets = [node.target] if isinstance(node, (ast.For, ast.comprehension)) else \
                    node.targets if isinstance(node, ast.Assign) else []
                for part in (p for target in targets for p in ast.walk(target)):
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        self.bound.setdefault(part.id, []).append(None)
        # The argument that has the name among others: **kwargs.
        self._rest = arguments.kwarg.arg if arguments.kwarg is not None and \
            "name" in given and "name" not in names and not self._renames(function) else None

    def _renames(self, function):
        """Whether a macro changes the name in its **kwargs."""
        rest = function.args.kwarg.arg
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and \
                    root(node) == rest and getattr(node.slice, "value", "name") == "name":
                return True
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "update" and \
                    root(node.func) == rest and (node.args or any(
                        k.arg in (None, "name") for k in node.keywords)):
                return True
        return bool(self.bound[rest])

    def is_named(self, call):
        """Whether a call makes no target, or one whose name begins as it should."""
        function = call.func
        if getattr(function, "id", "") in _HARMLESS:
            return True
        name = build_targets.keyword(call, "name")
        if name is not None:
            return self.begins(name)
        rests = [k.value for k in call.keywords if k.arg is None]
        if rests:
            return any(self._is_rest(node) for node in rests)
        # Functions and methods that make no target, and rules that are arguments.
        is_variable = isinstance(function, ast.Name) and function.id in self.bound
        if is_variable or not isinstance(function, (ast.Name, ast.Attribute)):
            return bool(call.args) and self.begins(call.args[0])
        return True

    def names_files(self, call):
        """Whether a call names the files that it makes by the name, or by an argument of the
        macro that names such files itself."""
        nodes = [k.value for k in call.keywords if k.arg in build_targets.OUTPUTS]
        while nodes:
            node = nodes.pop()
            if isinstance(node, (ast.List, ast.Tuple)):
                nodes += node.elts
            elif isinstance(node, ast.ListComp):
                nodes.append(node.elt)
            elif not (isinstance(node, ast.Name) and node.id in build_targets.OUTPUTS and
                      self.bound.get(node.id) == [] or self.begins(node)):
                return False
        return True

    def given_to(self, call, function):
        """The arguments of a macro that get what begins as it should."""
        parameters = [a.arg for a in function.args.args]
        given = {p for p, a in zip(parameters, call.args) if self.begins(a)}
        for argument in call.keywords:
            if argument.arg is None and self._is_rest(argument.value):
                given.add("name")
            elif argument.arg is not None and self.begins(argument.value):
                given.add(argument.arg)
        return frozenset(given)

    def _is_rest(self, node):
        return self._rest is not None and getattr(node, "id", None) == self._rest

    def begins(self, node, through=()):
        """Whether a text is put together and begins with the name."""
        while True:
            if isinstance(node, ast.Name):
                return self._variable_begins(node.id, through)
            if isinstance(node, ast.IfExp):
                return self.begins(node.body, through) and self.begins(node.orelse, through)
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                is_first = str(getattr(node.left, "value", "")).startswith("%s")
                parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                node = parts[0] if is_first and parts else None
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                node = node.left
            elif isinstance(node, ast.Subscript):
                return self._is_rest(node.value) and getattr(node.slice, "value", "") == "name"
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("get", "pop"):
                return self._is_rest(node.func.value) and bool(node.args) and getattr(
                    node.args[0], "value", "") == "name"
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
                node = _first_filled(node)
            else:
                return False

    def _variable_begins(self, name, through):
        if name in through:
            return True
        if len(through) > _LONGEST or name not in self._given and not self.bound.get(name):
            return False
        return all(node is not None and self.begins(node, (*through, name))
                   for node in self.bound.get(name, ()))


def _first_filled(call):
    """What stands first in "{}_x".format(name), or None."""
    text = getattr(call.func.value, "value", "")
    hole = _HOLE.match(text) if isinstance(text, str) else None
    if hole is None:
        return None
    if (hole[1] or "0") != "0":
        return build_targets.keyword(call, hole[1])
    return next(iter(call.args), None)


def root(node):
    """The variable that an expression such as a.b["c"] begins with, or None."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
