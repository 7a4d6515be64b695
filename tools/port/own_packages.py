"""The packages of the tree that is ported: which of their targets are in it.

A part of a folder may come with the folder's whole BUILD file.  Then a target is
absent if none of its files came along, and so is one that has no files and leads
to absent targets only.  Absent targets are commented out, and Syncline's of the
same name take their place.
"""
import ast
import os

from port import (bazel_rules, build_leaves, build_targets, build_values, findings, labels,
                  macro_names, own_globs)
from port.own_loads import OwnLoads

BUILDS = ("BUILD.bazel", "BUILD")  # the first counts
_FILES = ("srcs", "hdrs", "textual_hdrs", "graph", "src", "input", "main", "template")
_REFERENCES = ("deps", "proto_lib", "tests", "exports", "tools", "cc_deps")
_MACROS = frozenset((
    "mediapipe_proto_library", "mediapipe_cc_proto_library", "mediapipe_simple_subgraph",
    "mediapipe_binary_graph", "mediapipe_register_type", "mediapipe_cc_test",
    "mediapipe_options_library", "mediapipe_reexport_library", "encode_binary_proto",
    "data_as_c_string"))
KNOWN = _MACROS | bazel_rules.NATIVE.keys() | {"package_group"} | {
    name.replace("mediapipe", "syncline") for name in _MACROS}


class Package:
    """One package: a folder of the tree with its BUILD file."""

    def __init__(self, packages, path, world, text):
        """path: of the BUILD file, in the tree; world: of the folder, in MediaPipe's world."""
        self.path, self.folder, self.world = path, os.path.dirname(path), world
        self.tree, self.error_line = build_targets.parse_or_line(text)
        self._packages = packages
        self._targets = {}   # name -> [Call], several for macros that share a name
        self._made_by = {}   # target -> name of the call that makes it
        self._output_of = {} # file -> name of the call that makes it
        self._unknown = set()  # names of calls of rules of which nothing is known
        self._absent = {}    # name -> whether it is; None while that is found out
        self._silent = set()  # the calls that make files of which they do not say all
        self._names_of = {}  # call -> the names of the targets that it makes; None: not known
        self._unread = self._unread_files = None
        self._constants = build_leaves.constants(self.tree) if self.tree else {}
        # name -> value, of what .bzl files of the tree give the file, and what finds its files.
        self.known = packages.known(self.tree, self.folder) if self.tree else {}
        self._loaded = build_targets.loaded(self.tree) if self.tree else set()
        for call in build_targets.statement_calls(self.tree, self.known) if self.tree else ():
            name = build_targets.target_name(call.call, call.variables)
            self._names_of.setdefault(call.call, set()).add(name)
            if not build_targets.says_outputs(call.call, call.variables):
                self._silent.add(call.call)
            if name is None:
                continue
            self._targets.setdefault(name, []).append(call)
            for other in build_targets.made(call.call, name):
                self._made_by.setdefault(other, name)
            for output in build_targets.outputs(call.call, name, call.variables):
                self._output_of.setdefault(output, name)
            if build_targets.rule(call.call) not in KNOWN:
                self._unknown.add(name)

    def calls(self):
        """(name, Call) of everything that makes a target."""
        return [(name, call) for name, calls in self._targets.items() for call in calls]

    def scope(self, call):
        return build_leaves.Scope(self._constants, call.variables)

    def group(self, name):
        """The call of selects.config_setting_group() that makes a target, or None."""
        return next((call.call for call in self._targets.get(name, ())
                     if build_targets.rule(call.call) == "config_setting_group"), None)

    def file_groups(self, name):
        """The Calls of filegroup() that make a target."""
        return [call for call in self._targets.get(name, ())
                if build_targets.rule(call.call) == "filegroup"]

    def outputs_of(self, name):
        """The files that one target makes."""
        return {file for file, maker in self._output_of.items() if maker == name} - {name}

    def outputs(self):
        """The files that the targets in the tree make."""
        return {file for file, name in self._output_of.items() if not self.is_absent(name)}

    def has(self, name):
        """Whether the label ":name" leads to something in the tree."""
        if name in self._targets or name in self._made_by:
            return not self.is_absent(name)
        if name in self._output_of:
            return not self.is_absent(self._output_of[name])
        if name.startswith("__") or self._packages.has_path(os.path.join(self.folder, name)):
            return True
        return self.may_make(name)

    def may_make(self, name):
        """Whether a macro of the tree itself may make a target or file: any whose name begins
        with that of the call."""
        # But not the files of which it is asked just now whether they are there.
        return any(name.startswith(macro) and not self.is_absent(macro)
                   and self._absent[macro] is not None for macro in self._unknown)

    def unread(self):
        """The calls that make targets of which not all names are known: in loops over what is not
        known, and of what is not seen to name its targets by the name of the call."""
        if self._unread is None:
            loaded = self._packages.loads.loaded(self.tree, self.folder) if self.tree else {}
            self._unread, self._unread_files = [], []
            for statement in self.tree.body if self.tree else ():
                generators, made_of = build_targets.loop_of(statement)
                if not isinstance(statement, ast.Expr):
                    continue
                calls = [made_of] if isinstance(made_of, ast.Call) else [
                    part for part in ast.walk(made_of) if isinstance(part, ast.Call)][:1]
                for call in calls:
                    targets, files = self._has_unread(call, generators, loaded)
                    self._unread += [call] if targets else []
                    self._unread_files += [call] if files else []
        return self._unread

    def _has_unread(self, call, generators, loaded):
        """(whether not all targets of a call are known, whether not all files are)."""
        names = self._names_of.get(call, {None})
        function, base = call.func, macro_names.root(call.func)
        called = base if base in loaded else getattr(call, "rule_name", base)
        if findings.rule_advice(build_targets.rule(call)) and called not in loaded:
            return False, False  # commented out
        if getattr(function, "attr", "") in build_values.CHANGING and (
                base in self._constants or base in self.known):
            return False, False
        if isinstance(function, ast.Name) and called in loaded:
            targets, files = self._packages.macro_names.may_be_others(call, called, loaded)
            return None in names or targets, files or None in names
        # What is called is no rule, and no macro that can be looked at.
        variables = {name.id for loop in generators for name in ast.walk(loop.target)
                     if isinstance(name, ast.Name)}
        if not isinstance(function, (ast.Name, ast.Attribute)) or \
                called in {*loaded, *self._constants, *variables}:
            return True, True
        return None in names and (bool(generators) or build_targets.keyword(
            call, "name") is not None), call in self._silent

    def maker(self, name):
        """The place of what may make a target or file that is not found, or None."""
        calls = self.unread() + (self._unread_files if "." in name else [])
        if not calls or self.has(name):
            return None
        return f"{self.path}:{calls[0].lineno}"

    def foreign(self, call):
        """What to tell of a call of a rule that builds for phones, or of another language
        than there are bindings for; or None."""
        rule = build_targets.rule(call.call)
        return findings.rule_advice(rule) if rule not in self._loaded else None

    def is_absent(self, name):
        """Whether a target of this BUILD file has no file in the tree."""
        name = self._made_by.get(name, name) if name not in self._targets else name
        if name not in self._absent:
            self._absent[name] = None  # a cycle leads to nothing absent
            calls = self._targets.get(name, ())
            try:
                self._absent[name] = bool(calls) and all(self.call_is_absent(c) for c in calls)
            except RecursionError:
                self._absent[name] = False
        return bool(self._absent[name])

    def call_is_absent(self, call):
        """Whether none of the files of one call is in the tree, or it cannot be built here."""
        if self.foreign(call):
            return True
        return self.lacks_files(call)

    def lacks_files(self, call):
        """Whether none of the files of one call is in the tree."""
        there = [known for known in (self._has_source(leaf) for leaf in self._leaves(
            call, _FILES)) if known is not None]
        if there or build_targets.rule(call.call) in ("alias", "mediapipe_reexport_library"):
            return bool(there) and not any(there)
        own = {leaf.value: known for leaf in self._leaves(call, _REFERENCES)
               for known in [self._has_target(leaf.value)]
               if known or known is False and self._defines(leaf.value)}
        if not own or any(own.values()):
            return False
        if build_targets.rule(call.call) == "test_suite":
            return True  # Syncline's tests are its own affair
        # A library of others' libraries stays if only those are in Syncline.
        name = build_targets.target_name(call.call, call.variables)
        offers = self._packages.offers
        return offers(f"//{self.world}:{name}") or not any(
            offers(label if labels.is_label(label) else f"//{self.world}:{label.lstrip(':')}")
            for label in own)

    def _leaves(self, call, attributes):
        return [leaf for attribute in attributes for leaf in build_leaves.leaves(
            build_targets.keyword(call.call, attribute), self.scope(call))]

    def _has_source(self, leaf):
        """Whether a file is in the tree; None for what is not of this tree."""
        if leaf.is_glob:
            return self._packages.matches(self.folder, leaf.value)
        known = self._has_target(leaf.value)
        if known is False and not self._defines(leaf.value):
            package, name = self._split(leaf.value)
            return None if package.maker(name) else False
        return known

    def _split(self, label):
        """(Package, or None; name) of a label of the tree."""
        if not labels.is_label(label):
            return self, label.lstrip(":")
        _, world, name = labels.split(label)
        return self._packages.get(world), name

    def _defines(self, label):
        """Whether a label of the tree is that of a target, which may be absent."""
        package, name = self._split(label)
        return name in package._targets or name in package._made_by

    def _has_target(self, label):
        if not labels.is_label(label):
            return self.has(label[1:] if label.startswith(":") else label)
        repo, world, name = labels.split(label)
        if repo not in (None, "", "mediapipe", "org_mediapipe"):
            return None
        package = self._packages.get(world)
        return package.has(name) if package is not None else None


class Packages:
    """All packages of a tree, read when they are asked for."""

    def __init__(self, tree):
        self._tree = tree
        self.loads = OwnLoads(tree)
        self.macro_names = macro_names.MacroNames(self.loads)
        self._packages = {}  # folder in the tree -> Package or None
        self._folders = None
        self._globs = own_globs.Globs(tree, BUILDS)
        self.offers = lambda label: False  # whether Syncline has a target, if that is known

    def get(self, world):
        """The Package at a path in MediaPipe's world, or None."""
        below = self._tree.below(world)
        return self.at(below) if below is not None else None

    def at(self, folder):
        """The Package of a folder of the tree, or None."""
        if folder not in self._packages:
            self._packages[folder] = None
            for name in BUILDS:
                path = os.path.join(folder, name)
                text = self._tree.text(path) if self._tree.is_text(path) else None
                if text is not None:
                    self._packages[folder] = Package(
                        self, path, os.path.join(self._tree.place, folder).rstrip("/"), text)
                    break
        return self._packages[folder]

    def all(self):
        folders = {os.path.dirname(p) for p in self._tree.files if os.path.basename(p) in BUILDS}
        return [p for p in map(self.at, sorted(folders)) if p is not None]

    def generated(self):
        """The paths in the tree of all files that building it makes."""
        return {os.path.join(package.folder, file)
                for package in self.all() for file in package.outputs()}

    def has_path(self, path):
        """Whether the tree has a file, or a folder, of this path."""
        if self._folders is None:
            self._folders = set()
            for file in self._tree.files:
                folder = os.path.dirname(file)
                while folder and folder not in self._folders:
                    self._folders.add(folder)
                    folder = os.path.dirname(folder)
        return path in self._tree.files or path in self._folders

    def known(self, syntax, folder):
        """name -> value, of what a BUILD file knows that it does not say itself."""
        return {**self.loads.values(syntax, folder),
                build_values.GLOB: lambda *patterns: self._globs.find(folder, *patterns),
                build_values.BUDGET: build_values.Budget()}

    def matches(self, folder, pattern):
        """Whether a glob() of a package finds anything."""
        return bool(own_globs.matching(self._tree.files, folder, pattern))


def loop_items(statement):
    """The items of `[rule(...) for x in [...]]`, or None."""
    generators, _ = build_targets.loop_of(statement)
    if len(generators) != 1 or generators[0].ifs:
        return None
    items = generators[0].iter
    return items.elts if isinstance(items, (ast.List, ast.Tuple)) else None
