"""What the macros of a BUILD file do with deps: those of the tree, and Syncline's.

A macro need not take deps; one that gives deps of its own beside **kwargs must
not get any.  What it gives need not be added, and must not be given twice.
"""
import ast

from port import bazel_rules, build_leaves, build_targets, build_values, labels
from port.names import strip_root, translate
from port.own_labels import OwnLabels


class World:
    """The .bzl files by their paths in MediaPipe's world: the tree's, else Syncline's."""

    def __init__(self, tree, checkout):
        self._tree, self._checkout = tree, checkout

    def text(self, path):
        own = self._tree.own_file(path)
        if own is not None:
            return self._tree.text(own)
        path = strip_root(path)
        return self._checkout.text(path) or self._checkout.text(translate(path))


class Macros:
    """Those that one file loads; `build` is its Build of build_port.py."""

    def __init__(self, build, loads):
        self._build, self._loads = build, loads
        self._given = {}

    def _source(self, call):
        """(path in MediaPipe's world, name there) of what is called, or None."""
        return self._loads.origins.get(getattr(call.func, "id", None))

    def place(self, call):
        """The .bzl file of the tree that a called macro is from, or None."""
        source = self._source(call)
        return self._build.port.tree.own_file(source[0]) if source else None

    def takes_deps(self, call):
        """Whether a call may be given deps; None if that cannot be told."""
        source = self._source(call)
        if source is not None:
            return self._build.port.world_signatures.takes_deps(*source)
        known = bazel_rules.NATIVE.get(build_targets.rule(call))
        if known is None and build_targets.rule(call) == "package_group":
            return False
        return None if known is None else "deps" in known

    def argument(self, call, name):
        """An argument of a call, given by name or by place; None without."""
        node, source = build_targets.keyword(call, name), self._source(call)
        if node is not None or source is None or not call.args:
            return node
        names = self._build.port.world_signatures.positions(*source)
        place = names.index(name) if name in names else len(call.args)
        return call.args[place] if place < len(call.args) else None

    def given(self, call):
        """The labels in full that a macro of the tree gives as deps itself."""
        source = self._source(call)
        if source is None or self.place(call) is None:
            return set()
        if source not in self._given:
            self._given[source] = self._labels(*source)
        return self._given[source]

    def constants(self):
        """name -> node of what this file loads from .bzl files of the tree, and of what that is
        made of there."""
        found, files = {}, {}
        for name, (path, meant) in self._loads.origins.items():
            if self._build.port.tree.own_file(path) is None:
                continue
            constants = self._build.port.world_signatures.constants(path)
            files[path] = constants
            if meant in constants:
                found[name] = constants[meant]
        for constants in files.values():
            found = {**constants, **found}
        return found

    def files(self, call, name):
        """The texts in a macro of the tree that may be files of its target: name + ".cc"."""
        source = self._source(call)
        if source is None or self.place(call) is None:
            return set()
        return self._build.port.world_signatures.texts(*source, name)

    def _labels(self, path, name):
        port, found = self._build.port, set()
        for file, node, constants in port.world_signatures.deps_in(path, name):
            folder = file.rpartition("/")[0]
            own = OwnLabels(port, folder, port.tree.moved_path(folder), None)
            for part in _parts(node, constants):
                text = build_values.value(part, {})
                if isinstance(text, str) and labels.is_label(text):
                    label = own.resolve(text, False)[0]
                    found |= {own.full(label)} if label else set()
        return found


def _parts(node, constants):
    """All nodes of an expression, and of the constants that it names."""
    waiting, seen = [node], set()
    while waiting:
        for part in ast.walk(waiting.pop()):
            yield part
            if isinstance(part, ast.Name) and part.id in constants and part.id not in seen:
                seen.add(part.id)
                waiting.append(constants[part.id])


class WorldSignatures(bazel_rules.Signatures):
    """What macros do with deps, by their paths in MediaPipe's world."""

    def __init__(self, checkout):
        super().__init__(checkout)
        self._constants = {}  # .bzl file -> what constants() tells

    def _find(self, path, name):
        definitions, loaded = self._file(path)
        return definitions.get(name) or definitions.get(translate(name)), loaded

    def hands_on(self, path, name):
        """What a macro with **kwargs, and what it hands them on to, takes; else None."""
        node = self._find(path, name)[0]
        if not isinstance(node, ast.FunctionDef) or node.args.kwarg is None:
            return None
        return self.arguments(path, name)

    def takes_deps(self, path, name, asked=()):
        """Whether a macro or rule may be given deps; None if that cannot be told."""
        node, loaded = self._find(path, name)
        if node is None or (path, name) in asked:
            return None
        if isinstance(node, ast.Call):
            known = self._rule(node)
            return None if known is None else "deps" in known
        if any(a.arg == "deps" for a in node.args.args + node.args.kwonlyargs):
            return True
        if node.args.kwarg is None:
            return False
        rest = node.args.kwarg.arg
        read = _entry(node, rest)
        if read is not None:
            return read
        answers = [False if build_targets.keyword(call, "deps") is not None else
                   self._callee_takes(path, call.func, loaded, asked + ((path, name),))
                   for call in bazel_rules.calls_with(node, rest)]
        if False in answers or not answers:
            return False
        return None if None in answers else True

    def _callee_takes(self, path, function, loaded, asked):
        name = getattr(function, "id", "")
        if name in loaded:
            return self.takes_deps(*loaded[name], asked)
        if self._find(path, name)[0] is not None:
            return self.takes_deps(path, name, asked)
        known = bazel_rules.NATIVE.get(getattr(function, "attr", name))
        return None if known is None else "deps" in known

    def positions(self, path, name):
        """The names of the arguments of a macro, in order."""
        node = self._find(path, name)[0]
        return [a.arg for a in node.args.args] if isinstance(node, ast.FunctionDef) else []

    def deps_in(self, path, name, asked=()):
        """(file, node, constants of the file) of each `deps = ` in a macro, and in those that
        it calls."""
        node, loaded = self._find(path, name)
        if not isinstance(node, ast.FunctionDef) or (path, name) in asked:
            return
        asked += ((path, name),)
        constants = {**self.constants(path), **build_leaves.constants(node)}
        for part in ast.walk(node):
            if _sets_deps(part):
                yield path, part.value, constants
            elif isinstance(part, ast.Call):
                called = getattr(part.func, "id", "")
                yield from self.deps_in(*loaded.get(called, (path, called)), asked)

    def texts(self, path, name, target):
        """The texts that a macro puts together of the name of its target, and its other ones."""
        node = self._find(path, name)[0]
        if not isinstance(node, ast.FunctionDef) or not node.args.args:
            return set()
        variables = {node.args.args[0].arg: target, "name": target}
        found = {build_values.value(part, variables) for part in ast.walk(node)
                 if isinstance(part, (ast.BinOp, ast.Call, ast.Constant))}
        return {text for text in found if isinstance(text, str)}

    def constants(self, path):
        """name -> node, of the assignments of a .bzl file."""
        if path not in self._constants:
            text = self._checkout.text(path)
            tree = build_targets.parse(text) if text is not None else None
            self._constants[path] = build_leaves.constants(tree) if tree else {}
        return self._constants[path]


def _sets_deps(node):
    """Whether a node is `deps = X`, as an argument or a statement, or `x["deps"] = X`."""
    if isinstance(node, ast.keyword):
        return node.arg == "deps"
    targets = node.targets if isinstance(node, ast.Assign) else [
        node.target] if isinstance(node, ast.AugAssign) else []
    return any(getattr(t, "id", "") == "deps" or isinstance(t, ast.Subscript) and getattr(
        t.slice, "value", "") == "deps" for t in targets)


def _entry(function, rest):
    """Whether a macro reads deps out of its **kwargs; False if it replaces them, None if it
    does neither."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Constant) or node.value != "deps":
            continue
        reads = [n for n in ast.walk(function) if isinstance(n, ast.Call) and node in n.args
                 and getattr(n.func, "attr", "") in ("pop", "get")
                 and getattr(n.func.value, "id", "") == rest]
        return bool(reads)
    return None
