"""What the .bzl files of a tree define, for the files that load them.

Loads are followed without recursion, so that a long row of them, or one that
leads back to itself, ends as any other.
"""
import ast
import os
import re

from port import build_leaves, build_targets, build_values, labels

_HOLE = re.compile(r"\{(0|[a-z_A-Z]\w*)?\}")
_MOST_CALLED = 500  # macros by one; what calls more may make anything
_LONGEST = 20  # names that stand for each other


class OwnLoads:
    """Those of one SourceTree, read when they are asked for."""

    def __init__(self, tree):
        self._tree = tree
        self._parsed = {}  # .bzl file -> (syntax tree or None, what it loads)
        self._functions = {}  # the same -> (name -> function, what it loads)
        self._calls = {}  # (.bzl file, macro) -> what _calls_of() tells
        self._free = {}  # (.bzl file, macro) -> whether it names targets freely
        self._values = {}  # the same -> name -> value, of what it loads and assigns

    def graph(self):
        """.bzl file -> the .bzl files of the tree that it loads."""
        return {path: {file for file, _ in self._read(path)[1].values()}
                for path in self._tree.files
                if path.endswith(".bzl") and self._tree.is_text(path)}

    def values(self, syntax, folder):
        """name -> string or list, of what a file in `folder` loads from files of the tree."""
        found = {}
        for name, (path, meant) in self._loaded(syntax, folder).items():
            value = self._values_of(path).get(meant)
            if value is not None:
                found[name] = value
        return found

    def macros(self, syntax, folder):
        """name -> (.bzl file of the tree, name there) of the functions that a file loads."""
        return {name: source for name, source in self._loaded(syntax, folder).items()
                if self._function(*source)[0] is not None}

    def names_freely(self, path, name):
        """Whether a macro makes targets whose names do not begin with that of its call."""
        if (path, name) not in self._free:
            self._free[path, name] = self._find_free(path, name)
        return self._free[path, name]

    def _find_free(self, path, name):
        waiting, asked = [(path, name)], set()
        while waiting:
            here = waiting.pop()
            if here in asked:
                continue
            asked.add(here)
            is_free, called = self._calls_of(*here)
            if is_free or len(asked) > _MOST_CALLED:
                return True
            waiting += called
        return False

    def _calls_of(self, path, name):
        """(whether a macro itself names targets freely, the macros that it calls)."""
        if (path, name) in self._calls:
            return self._calls[path, name]
        function, loaded = self._function(path, name)
        is_free, called = False, set()
        if function is not None:
            given = {"name", *(a.arg for a in function.args.args[:1])}
            inner = build_leaves.constants(function)
            for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
                node, other = build_targets.keyword(call, "name"), getattr(call.func, "id", None)
                is_free = is_free or node is not None and not _begins_with(node, given, inner)
                called |= {loaded.get(other, (path, other))} if other is not None else set()
        self._calls[path, name] = is_free, called
        return is_free, called

    def _function(self, path, name):
        """(the definition of a function, or None; what its file loads)."""
        if path not in self._functions:
            syntax, loaded = self._read(path)
            self._functions[path] = {s.name: s for s in syntax.body if isinstance(
                s, ast.FunctionDef)} if syntax else {}, loaded
        functions, loaded = self._functions[path]
        return functions.get(name), loaded

    def _values_of(self, path):
        waiting, begun = [path], set()
        while waiting:
            here = waiting[-1]
            syntax, loaded = self._read(here)
            new = {file for file, _ in loaded.values()} - begun - self._values.keys()
            if here in self._values or here in begun or not new:
                waiting.pop()
                if here not in self._values:
                    known = {name: self._values.get(file, {}).get(meant)
                             for name, (file, meant) in loaded.items()}
                    self._values[here] = build_values.assigned(syntax, known) if syntax else {}
                continue
            begun.add(here)
            waiting += sorted(new)
        return self._values[path]

    def _read(self, path):
        if path not in self._parsed:
            text = self._tree.text(path) if self._tree.is_text(path) else None
            syntax = build_targets.parse(text) if text is not None else None
            self._parsed[path] = syntax, self._loaded(
                syntax, os.path.dirname(path)) if syntax else {}
        return self._parsed[path]

    def _loaded(self, syntax, folder):
        """name -> (.bzl file of the tree, name there)."""
        found = {}
        for statement in syntax.body:
            call = getattr(statement, "value", None)
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "load":
                continue
            texts = [getattr(a, "value", None) for a in call.args]
            file = self._file(texts[0], folder) if texts and isinstance(texts[0], str) else None
            if file is not None:
                found.update({name: (file, name) for name in texts[1:] if isinstance(name, str)})
                found.update({k.arg: (file, k.value.value) for k in call.keywords
                              if isinstance(getattr(k.value, "value", None), str)})
        return found

    def _file(self, label, folder):
        """The .bzl file of the tree that a label in `folder` names, or None."""
        if label.startswith(":"):
            file = os.path.join(folder, label[1:])
            return file if file in self._tree.files else None
        repo, package, name = labels.split(labels.in_workspace(label, self._tree.workspaces))
        return self._tree.own_file(os.path.join(package, name)) if not repo else None


def _begins_with(node, given, constants):
    """Whether a text that is put together begins with one of some variables."""
    for _ in range(_LONGEST):
        if isinstance(node, ast.Name):
            if node.id in given:
                return True
            node = constants.get(node.id)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            is_first = str(getattr(node.left, "value", "")).startswith("%s")
            parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            node = parts[0] if is_first and parts else None
        elif isinstance(node, ast.BinOp):
            node = node.left
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
            text = getattr(node.func.value, "value", "")
            hole = _HOLE.match(text) if isinstance(text, str) else None
            node = None if hole is None else build_targets.keyword(node, hole[1]) if \
                (hole[1] or "0") != "0" else next(iter(node.args), None)
        else:
            return False
    return False
