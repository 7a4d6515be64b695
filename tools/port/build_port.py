"""BUILD and .bzl files: labels, loads, macro names, select() and new deps.

The file is read as a syntax tree and changed in place, so that its layout and
its comments stay.
"""
import ast
import fnmatch
import os
import re

from port import build_targets, labels
from port.build_loads import Loads
from port.names import strip_root, translate

_RULE = "labels"
_MACRO = re.compile(r"(?:(?<=-D)|\b)MEDIAPIPE_\w+")
_LABEL_LISTS = ("deps", "hdrs", "srcs", "data", "exports", "runtime_deps", "visibility", "tools",
                "default_visibility", "textual_hdrs", "cc_deps", "additional_deps")


def port_build(edit, port):
    """Ports the BUILD or .bzl text of `edit`."""
    tree = build_targets.parse(edit.text)
    if tree is None:
        edit.find(0, "cannot be read as a BUILD file: its labels stay as they are")
        return
    _Build(edit, port, tree).run()


class _Build:
    """One file on its way."""

    def __init__(self, edit, port, tree):
        self.edit, self.port, self.tree = edit, port, tree
        self.lines = edit.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.folder = os.path.dirname(edit.path)
        self.package = os.path.join(port.tree.place, self.folder).rstrip("/")
        # Targets of files that were not copied.
        self.absent = port.tree.absent_targets(tree, self.folder)
        self.done = set()  # nodes that are dealt with
        self.is_build = edit.path.endswith(("BUILD", "BUILD.bazel"))

    def run(self):
        if self.is_build:
            self.comment_out_absent()
        Loads(self).run()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and node not in self.done:
                self.call(node)
        for node in ast.walk(self.tree):
            if node in self.done:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.string(node)
            elif isinstance(node, ast.Name) and translate(node.id) != node.id:
                self.edit.replace(*self.span(node), translate(node.id), _RULE)
            elif isinstance(node, ast.FunctionDef) and translate(node.name) != node.name:
                start = self.edit.text.index(node.name, self.span(node)[0])
                self.edit.replace(start, start + len(node.name), translate(node.name), _RULE)

    def position(self, line, column):
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode("utf-8", "surrogateescape")[:column]
                         .decode("utf-8", "surrogateescape"))
        return self.starts[line - 1] + column

    def span(self, node):
        return (self.position(node.lineno, node.col_offset),
                self.position(node.end_lineno, node.end_col_offset))

    def drop_tree(self, node):
        self.done.update(ast.walk(node))

    def comment_out(self, statement):
        """One bad statement would keep all targets of the package from being built."""
        first, last = statement.lineno, statement.end_lineno
        start, end = self.starts[first - 1], self.position(last, 0) + len(self.lines[last - 1])
        lines = self.edit.text[start:end].split("\n")
        self.edit.replace(start, end, "\n".join("# " + l if l.strip() else "#" for l in lines),
                          "commented out")
        self.drop_tree(statement)

    def comment_out_absent(self):
        """Takes out the targets of the files that were not copied."""
        count = 0
        for statement in self.tree.body:
            call = getattr(statement, "value", None)
            name = build_targets.keyword(call, "name") if isinstance(call, ast.Call) else None
            if isinstance(name, ast.Constant) and name.value in self.absent:
                self.comment_out(statement)
                count += 1
        if count:
            self.edit.find_at_line(1, f"{count} targets have no file in this tree and are "
                                   "commented out: those that Syncline has take their place",
                                   hand=False)

    # --- calls

    def call(self, call):
        function = call.func
        name = getattr(function, "id", getattr(function, "attr", ""))
        if name in ("select", "with_or") and call.args and isinstance(call.args[0], ast.Dict):
            self.select(call, call.args[0])
            return
        for argument in call.keywords:
            if argument.arg in _LABEL_LISTS:
                for node in ast.walk(argument.value):
                    if isinstance(node, ast.List) and node not in self.done:
                        self.label_list(node)
        if name == "package":
            self.drop_arguments(call, ("default_applicable_licenses", "default_package_metadata"))
        if build_targets.keyword(call, "name") is not None and self.is_build:
            self.add_deps(call)

    def drop_arguments(self, call, names):
        """Takes out what this Bazel does not know."""
        for index, argument in enumerate(call.keywords):
            if argument.arg not in names:
                continue
            start, end = self.span(argument)
            if index + 1 < len(call.keywords):
                end = self.span(call.keywords[index + 1])[0]
            elif index:
                start = self.span(call.keywords[index - 1])[1]
            self.edit.replace(start, end, "", _RULE)
            self.drop_tree(argument)

    def select(self, call, branches):
        """select() with a known answer becomes that branch."""
        chosen, default, assumed = None, None, []
        for key, value in zip(branches.keys, branches.values):
            conditions = key.elts if isinstance(key, ast.Tuple) else [key]
            for condition in conditions:
                label = getattr(condition, "value", None)
                if label == "//conditions:default":
                    default = value
                    continue
                answer = labels.CONDITIONS.get(label)
                if answer is None:
                    if not isinstance(label, str) or not label.startswith("//mediapipe") or \
                            labels.port_label(label, self.port)[1] is None:
                        return
                    assumed.append(label)
                if answer and chosen is None:
                    chosen = value
        chosen = chosen if chosen is not None else default
        if chosen is None or call in self.done:
            return
        for label in assumed:
            self.edit.find_at_line(call.lineno, f'select(): "{label}" is nowhere, and is taken to '
                                   "be false", hand=False)
        start, end = self.span(call)
        inner_start, inner_end = self.span(chosen)
        if not isinstance(chosen, (ast.List, ast.Constant, ast.Dict)):
            self.edit.find_at_line(call.lineno, "select(): its answer in Syncline is known, but "
                                   "too intricate to be put in its place", hand=False)
            return
        sum_of = next((n for n in ast.walk(self.tree) if isinstance(n, ast.BinOp)
                       and isinstance(n.op, ast.Add) and n.right is call), None)
        if sum_of is not None and isinstance(chosen, ast.List) and not chosen.elts:
            self.edit.replace(self.span(sum_of.left)[1], end, "", "select()")
        else:
            self.edit.replace(start, inner_start, "", "select()")
            self.edit.replace(inner_end, end, "", "select()")
        for node in [call.func, branches] + branches.keys + [
                v for v in branches.values if v is not chosen]:
            if node is branches:
                self.done.add(node)
            else:
                self.drop_tree(node)

    def label_list(self, node):
        """Drops what is not needed any more, and what now stands twice."""
        seen = set()
        for index, item in enumerate(node.elts):
            if not isinstance(item, ast.Constant) or not isinstance(item.value, str):
                continue
            label = item.value
            new, problem = (labels.port_label(label, self.port) if labels.is_label(label)
                            else (label, None))
            if new is None and problem:
                self.edit.find_at_line(item.lineno, problem)
            if new is not None and new not in seen:
                seen.add(new)
                continue
            if new == label:
                continue  # twice in the original: theirs to mend
            self.done.add(item)
            self.remove_item(node, index)

    def remove_item(self, node, index):
        """Takes an item out of a list; its whole line, if it has one to itself."""
        start, end = self.span(node.elts[index])
        line = self.edit.text.rfind("\n", 0, start) + 1
        alone = re.compile(r"[^\S\n]*,?[^\S\n]*(#[^\n]*)?\n").match(self.edit.text, end)
        if alone and not self.edit.text[line:start].strip():
            self.edit.replace(line, alone.end(), "", _RULE)
        elif index + 1 < len(node.elts):
            self.edit.replace(start, self.span(node.elts[index + 1])[0], "", _RULE)
        elif index:
            self.edit.replace(self.span(node.elts[index - 1])[1], end, "", _RULE)
        else:
            self.edit.replace(start, end, "", _RULE)

    # --- strings

    def string(self, node):
        text = node.value
        if labels.is_label(text):
            label, problem = labels.port_label(text, self.port)
            if problem:
                self.edit.find_at_line(node.lineno, problem)
            self.set_string(node, label if label is not None else text)
        elif text.startswith(":") and (text[1:] in self.absent or self.is_syncline(text[1:])):
            label, problem = labels.port_label(f"//{self.package}{text}", self.port)
            if problem:
                self.edit.find_at_line(node.lineno, problem)
            self.set_string(node, label)
        else:
            self.set_string(node, _MACRO.sub(lambda m: translate(m.group()),
                                             self.port.strings.translate(text)))

    def is_syncline(self, name):
        """Whether a neighbour in MediaPipe's package is not in the tree, but here."""
        own = self.port.tree.own_package(self.package)
        return (own is not None and name not in own[1] and
                not self.port.tree.own_file(f"{self.package}/{name}") and
                self.package.startswith("mediapipe/") and
                self.port.checkout.has_label(strip_root(self.package), translate(name)))

    def set_string(self, node, new):
        if new == node.value:
            return
        start, end = self.span(node)
        old = self.edit.text[start:end]
        at = old.find(node.value)
        if at > 0:
            self.edit.replace(start + at, start + at + len(node.value), new, _RULE)

    # --- deps that the included headers need

    def add_deps(self, call):
        headers = set()
        for attribute in ("srcs", "hdrs"):
            node = build_targets.keyword(call, attribute)
            for name in build_targets.strings(node, {}):
                path = os.path.join(self.folder, name.lstrip(":"))
                for file in fnmatch.filter(self.port.includes, path) if "*" in path else [path]:
                    headers.update(self.port.includes.get(file, ()))
        if not headers:
            return
        deps = build_targets.keyword(call, "deps")
        present = {labels.port_label(label, self.port)[0] if labels.is_label(label) else label
                   for label in build_targets.strings(deps, {})} - {None}
        package = os.path.dirname(self.port.tree.final_path(self.edit.path))
        new = self.port.deps.missing(headers, present, package)
        if new:
            self.insert_deps(call, deps, sorted(new))

    def insert_deps(self, call, deps, new):
        first = next((n for n in ast.walk(deps) if isinstance(n, ast.List)), None) \
            if deps is not None else None
        newline = self.edit.newline
        staying = [n for n in first.elts if n not in self.done] if first is not None else []
        if staying:
            item = next((n for n in staying
                         if not str(getattr(n, "value", "")).startswith(":")), staying[0])
            start = self.span(item)[0]
            indent = self.edit.text[self.edit.text.rfind("\n", 0, start) + 1:start]
            between = newline + indent if not indent.strip() else " "
            self.edit.insert(start, "".join(f'"{n}",{between}' for n in new), "deps added")
        elif first is not None:
            self.edit.insert(self.span(first)[0] + 1, ", ".join(f'"{n}"' for n in new),
                             "deps added")
        elif deps is None:
            end = self.span(build_targets.keyword(call, "name"))[1]
            text = ", ".join(f'"{label}"' for label in new)
            self.edit.insert(end, f",{newline}    deps = [{text}]", "deps added")
        else:
            self.edit.find_at_line(call.lineno, "add to deps: " + ", ".join(new))
