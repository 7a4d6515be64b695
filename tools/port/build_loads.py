"""The load() statements of BUILD and .bzl files.

A load that finds nothing keeps the whole package from being built.  In a BUILD
file it is commented out, and with it whatever needs what it would bring.
"""
import ast
import os

from port import build_targets, labels
from port.names import translate

_RULE = "labels"
_EXTERNAL_BZL = {
    "rules_cc": "third_party/rules_cc", "rules_java": "/usr/share/bazel/rules/java",
    "rules_proto": "/usr/share/bazel/rules/proto", "bazel_skylib": "/usr/share/bazel/tools/skylib",
}


class Loads:
    """Those of one file; `build` is its _Build of build_port.py."""

    def __init__(self, build):
        self.build, self.edit, self.port = build, build.edit, build.port
        self.lost = set()  # what loads would bring if their files were there
        self.used = {n.id for s in build.tree.body if s not in build.done
                     for n in ast.walk(s) if isinstance(n, ast.Name)}
        # Names that a file of the tree gives a meaning.
        self.own = {s.name for s in build.tree.body if isinstance(s, ast.FunctionDef)}
        self.sources = {}  # name in this file -> (.bzl file of the checkout, name there)
        self.origins = {}  # name in this file -> (.bzl file in MediaPipe's world, name there)

    def run(self):
        for statement in self.build.tree.body:
            call = getattr(statement, "value", None)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "load":
                self.load(statement, call)
        if self.lost and self.build.is_build:
            self.comment_out_lost()

    def lose(self, statement, names, staying=()):
        """Takes `names` out of a load, or the whole load; staying: texts of what it still brings."""
        self.lost.update(names)
        if not self.build.is_build:
            return
        if not staying:
            self.build.comment_out(statement)
            return
        start = self.build.span(statement.value.args[0])[1]
        self.edit.replace(start, self.build.span(statement)[1], f", {', '.join(staying)})", _RULE)

    def load(self, statement, call):
        """A load of what is native goes; one of what is missing is commented out."""
        self.build.drop_tree(call)
        symbols = call.args[1:] + [k.value for k in call.keywords]
        if not call.args or not all(isinstance(getattr(argument, "value", None), str)
                                    for argument in call.args + symbols):
            self.edit.find_at_line(call.lineno, "a load() that Bazel does not understand: it takes "
                                   "strings")
            return
        bzl, names = call.args[0], [s.value for s in symbols]
        if not names:
            self.edit.find_at_line(call.lineno, "a load() that Bazel does not understand: it says "
                                   "what to load")
            return
        if bzl.value.startswith("/") and not bzl.value.startswith("//"):
            self.edit.find_at_line(call.lineno, f'"{bzl.value}" is no label: Bazel loads files of '
                                   'packages, as "//package:file.bzl"')
            return
        if not bzl.value.endswith(".bzl"):
            self.edit.find_at_line(call.lineno, f'"{bzl.value}" is no .bzl file: Bazel loads no '
                                   "other")
            return
        bound = [k.arg for k in call.keywords] + [s.value for s in call.args[1:]]
        here = self.from_root(labels.local(bzl.value, self.port))
        repo, package, name = labels.split(here)
        if repo:
            self.external_load(statement, names, bound)
            return
        origin = os.path.join(package, name)
        self.origins.update(dict(zip(bound, [(origin, n) for n in self.meant(call)])))
        if bzl.value.startswith(":") and self.is_neighbour(bzl.value):
            self.own.update(bound)
            self.rename_symbols(symbols)
            return
        if not here.startswith("//mediapipe"):
            self.build.set_string(bzl, here)
            self.rename_symbols(symbols)
            if self.port.tree.own_file(os.path.join(package, name)) is None:
                self.note_sources(call, os.path.join(package, name))
            else:
                self.own.update(bound)
            if here.startswith("//") and not self.is_there(package, name):
                self.edit.find_at_line(call.lineno, "neither this tree nor Syncline has "
                                       f'"{here}"', self.is_used(bound))
                self.lose(statement, bound)
            return
        own = self.port.tree.own_file(os.path.join(package, name))
        if own is not None:
            self.own.update(bound)
            final = os.path.dirname(self.port.tree.final_path(own))
            self.build.set_string(bzl, f"//{final}:{name}")
            self.rename_symbols(symbols)
            return
        label, problem = labels.port_label(here, self.port)
        self.build.set_string(bzl, label)
        self.rename_symbols(symbols)
        _, package, name = labels.split(label)
        self.note_sources(call, os.path.join(package, name))
        if problem:
            self.edit.find_at_line(call.lineno, problem, self.is_used(bound))
            self.lose(statement, bound)
            return
        defined = self.port.checkout.macros(os.path.join(package, name))
        lost, staying = [], []
        for local, macro in zip(bound, self.meant(call)):
            if translate(macro) in defined:
                other = "" if local == macro else local + " = "
                staying.append(f'{other}"{translate(macro)}"')
                continue
            lost.append(local)
            self.edit.find_at_line(call.lineno, f'"{label}" defines no "{translate(macro)}": use a '
                                   "rule of Bazel, or of //tools:calculator_graph.bzl")
        if lost:
            self.lose(statement, lost, staying)

    @staticmethod
    def meant(call):
        """What the names that a load binds, those it gives first, are called in its file."""
        return [k.value.value for k in call.keywords] + [a.value for a in call.args[1:]]

    def from_root(self, label):
        """A label of a load, from the root of the workspace."""
        return f"//{self.build.world}{label}" if label.startswith(":") else label

    def is_neighbour(self, label):
        """Whether a label leads to a file of the tree beside this one."""
        return os.path.join(self.build.folder, label.lstrip(":")) in self.port.tree.files

    def is_used(self, names):
        """Whether the file uses what a load brings."""
        return not self.build.is_build or bool(set(names) & self.used)

    def note_sources(self, call, path):
        for argument in call.args[1:]:
            self.sources[argument.value] = (path, translate(argument.value))
        for argument in call.keywords:
            self.sources[argument.arg] = (path, translate(argument.value.value))

    def is_there(self, package, name):
        """Whether a .bzl file that is called without MediaPipe's root is there."""
        path = os.path.join(package, name)
        return self.port.tree.own_file(path) is not None or self.port.checkout.has_file(path)

    def external_load(self, statement, names, bound):
        bzl = statement.value.args[0]
        repo, package, name = labels.split(bzl.value)
        root = _EXTERNAL_BZL.get(repo, "")
        if root and os.path.isfile(
                os.path.join(self.port.checkout.root, root, package, name)):
            return
        if names and set(names) <= labels.NATIVE_RULES:
            # Rules of Bazel's own; those that have another name here keep it.
            native = "" if self.build.is_build else "native."
            others = [f"{k.arg} = {native}{k.value.value}" for k in statement.value.keywords
                      if k.arg != k.value.value]
            start, end = self.build.span(statement)
            if others:
                self.edit.replace(start, end, self.edit.newline.join(others), _RULE)
                return
            end = self.edit.text.find("\n", end)
            self.edit.replace(start, end + 1 if end >= 0 else len(self.edit.text), "", _RULE)
            return
        problem = labels.port_label(bzl.value, self.port)[1]
        self.edit.find_at_line(bzl.lineno, problem or f'"{bzl.value}" is not in this Bazel (4.2): '
                               "do without " + ", ".join(names), self.is_used(bound))
        native = [n for n in names if n in labels.NATIVE_RULES]
        self.lose(statement, [n for n in bound if n not in native])

    def rename_symbols(self, symbols):
        for symbol in symbols:
            if translate(symbol.value) != symbol.value:
                self.build.set_string(symbol, translate(symbol.value))

    def comment_out_lost(self):
        """Takes out what needs a rule or a constant that is not there."""
        for statement in self.build.tree.body:
            missing = {n.id for n in ast.walk(statement)
                       if isinstance(n, ast.Name) and n.id in self.lost}
            if not missing or statement in self.build.done:
                continue
            self.build.comment_out(statement)
            call = getattr(statement, "value", None)
            name = build_targets.keyword(call, "name") if isinstance(call, ast.Call) else None
            what = f'":{name.value}"' if isinstance(name, ast.Constant) else "the statement"
            self.edit.find_at_line(statement.lineno, f"{what} needs " +
                                   ", ".join(sorted(missing)) + ", which is not there: it is "
                                   "commented out, so that the rest can be built")
