"""What the .bzl files of a tree define, for the files that load them.

Loads are followed without recursion, so that a long row of them, or one that
leads back to itself, ends as any other.
"""
import ast
import os

from port import build_leaves, build_targets, build_values, labels

_LONGEST = 20  # names that stand for each other


class OwnLoads:
    """Those of one SourceTree, read when they are asked for."""
    RULE = ("", "rule()")

    def __init__(self, tree):
        self._tree = tree
        self._parsed = {}  # .bzl file -> (syntax tree or None, what it loads)
        self._definitions = {}  # the same -> what _defined() tells
        self._values = {}  # the same -> name -> value, of what it loads and assigns

    def graph(self):
        """.bzl file -> the .bzl files of the tree that it loads."""
        return {path: {file for file, _ in self._read(path)[1].values()}
                for path in self._tree.files
                if path.endswith(".bzl") and self._tree.is_text(path)}

    def values(self, syntax, folder):
        """name -> string or list, of what a file in `folder` loads from files of the tree."""
        found = {}
        for name, (path, meant) in self.loaded(syntax, folder).items():
            value = self._values_of(path).get(meant)
            if value is not None:
                found[name] = value
        return found

    def resolve(self, path, name):
        """(.bzl file, name there) of the function that a name of a file of the tree stands for;
        RULE, of what makes targets of just the names that it is given; None of anything else."""
        for _ in range(_LONGEST):
            functions, assigned, loaded = self._defined(path)
            if name in functions:
                return path, name
            node = assigned.get(name)
            if _is_rule(node):
                return self.RULE
            if not isinstance(node, ast.Name):
                return None
            path, name = loaded.get(node.id, (path, node.id))
        return None

    def rule_call(self, path, name):
        """The call of rule() that a name of a file of the tree stands for."""
        while True:
            _, assigned, loaded = self._defined(path)
            node = assigned[name]
            if _is_rule(node):
                return node
            path, name = loaded.get(node.id, (path, node.id))

    def defines(self, path, name):
        """Whether a .bzl file gives a name a meaning itself."""
        return any(name in table for table in self._defined(path)[:2])

    def function(self, path, name):
        """(the definition of a function of a .bzl file, what this file loads)."""
        functions, _, loaded = self._defined(path)
        return functions[name], loaded

    def _defined(self, path):
        """(name -> function, name -> what is assigned to it, what the file loads)."""
        if path not in self._definitions:
            syntax, loaded = self._read(path)
            self._definitions[path] = {s.name: s for s in syntax.body if isinstance(
                s, ast.FunctionDef)} if syntax else {}, build_leaves.constants(
                    syntax) if syntax else {}, loaded
        return self._definitions[path]

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
            self._parsed[path] = syntax, self.loaded(
                syntax, os.path.dirname(path)) if syntax else {}
        return self._parsed[path]

    def loaded(self, syntax, folder):
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


def _is_rule(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule"
