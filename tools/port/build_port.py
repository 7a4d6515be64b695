"""BUILD and .bzl files: labels, loads, macro names, select() and new deps.

The file is read as a syntax tree and changed in place, so that its layout and
its comments stay.
"""
import ast
import os

from port import (added_includes, build_leaves, build_targets, build_values, labels,
                  own_packages, starlark)
from port.build_absent import AbsentTargets
from port.build_arguments import Arguments
from port.build_deps import AddedDeps
from port.build_lists import LabelLists, quoted
from port.build_loads import Loads
from port.names import translate
from port.label_parts import Parts, is_part, port_part
from port.own_labels import OwnLabels
from port.own_macros import Macros

_RULE = "labels"
# Arguments that name variables of the environment and of --define, which keep their names.
_VARIABLES = ("env", "env_inherit", "environ", "define_values", "values")
_TABLES = ("var", "environ")  # what holds them within rules
_COMMANDS = ("cmd", "cmd_bash", "cmd_bat", "cmd_ps", "command")


def port_build(edit, port):
    """Ports the BUILD or .bzl text of `edit`."""
    tree, line = build_targets.parse_or_line(edit.text)
    if tree is None:
        edit.find_at_line(line, "cannot be read as a BUILD file from here on: mend the syntax; its "
                          "labels stay as they are, and Bazel cannot load the package")
        return
    starlark.check(edit, tree, edit.path.endswith(own_packages.BUILDS))
    Build(edit, port, tree).run()


class Build:
    """One file on its way."""

    def __init__(self, edit, port, tree):
        self.edit, self.port, self.tree = edit, port, tree
        self.lines = edit.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.folder = os.path.dirname(edit.path)
        self.world = os.path.join(port.tree.place, self.folder).rstrip("/")
        self.final = os.path.dirname(port.tree.final_path(edit.path))
        self.is_build = edit.path.endswith(own_packages.BUILDS)
        package = port.tree.packages.at(self.folder) if self.is_build else None
        # A folder with two BUILD files has one that does not count.
        self.package = package if package is not None and package.path == edit.path else None
        self.tree = self.package.tree if self.package is not None else tree
        # name -> value, of what the file assigns and what it loads from the tree.
        packages = port.tree.packages
        self.known = packages.known(self.tree, self.folder) if self.is_build else \
            packages.loads.values(self.tree, self.folder)
        self.values = build_values.assigned(self.tree, self.known)
        self.done = set()  # nodes that are dealt with
        self.gone = set()  # items taken out of lists
        own = OwnLabels(port, self.world, self.final, self.package)
        self.resolve, self.full, self.answer = own.resolve, own.full, own.answer
        self.group, self._maker = own.group, own.maker

    def run(self):
        absent = AbsentTargets(self) if self.package is not None else None
        if absent:
            absent.comment_out()
        loads = Loads(self)
        loads.run()
        if absent:
            absent.comment_out_groups()
        parts = Parts(self)
        parts.find()
        lists, arguments = LabelLists(self, parts), Arguments(self, loads)
        calls = [n for n in ast.walk(self.tree) if isinstance(n, ast.Call)]
        for call in calls:
            if build_targets.rule(call) == "package_group":
                self.package_patterns(call)
        for call in calls:
            if call not in self.done:
                arguments.port(call)
        for call in calls:
            if call not in self.done:
                lists.port(call)
        lists.port_rest(self.tree)
        parts.run()
        for call in calls:
            if call not in self.done and build_leaves.is_select(call):
                self.select(call)
        if self.package is not None:
            for name, call in self.package.calls():
                absent.check_scalars(call.call, name)
            AddedDeps(self, lists, arguments, Macros(self, loads)).run()
        self.port_names()

    def port_names(self):
        self.kept = build_leaves.texts_of(self.tree, _VARIABLES, _TABLES)
        self.commands = build_leaves.texts_of(self.tree, _COMMANDS)
        prose = build_leaves.texts_of(self.tree, ("doc",)) | {
            n.value for n in ast.walk(self.tree) if isinstance(n, ast.Expr)}
        inner = build_leaves.inner_names(self.tree)
        for node in ast.walk(self.tree):
            if node in self.done or node in inner:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node not in prose:
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

    # --- labels

    def select(self, call):
        """select() with a known answer becomes that branch."""
        table = call.args[0]
        taken = build_leaves.chosen(call, self.answer)
        if taken is None:
            return
        for conditions, _ in build_leaves.branches(call):
            for label in conditions:
                if label not in labels.CONDITIONS and label != "//conditions:default" and \
                        self.group(label) is None:
                    self.edit.find_at_line(call.lineno, f'select(): "{label}" is nowhere, and is '
                                           "taken to be false", hand=False)
        start, end = self.span(call)
        inner_start, inner_end = self.span(taken)
        sum_of = next((n for n in ast.walk(self.tree) if isinstance(n, ast.BinOp)
                       and isinstance(n.op, ast.Add) and n.right is call), None)
        if sum_of is not None and isinstance(taken, ast.List) and not taken.elts:
            self.edit.replace(self.span(sum_of.left)[1], end, "", "select()")
        else:
            self.edit.replace(start, inner_start, "", "select()")
            self.edit.replace(inner_end, end, "", "select()")
        self.done.update({call.func, table})
        for node in table.keys + [value for value in table.values if value is not taken]:
            self.drop_tree(node)

    def tell_of_maker(self, node, text, new):
        """Notes that a label is not found, which stays since something may make its target.

        text: the label in the tree; new: what it is after the port."""
        place = self._maker(text)
        if place is not None:
            self.edit.find_at_line(node.lineno, f'"{self.full(new)}" may be made at {place}, '
                                   "which the port cannot read: the label stays", hand=False)

    def package_patterns(self, call):
        """The packages of a group: "//a", "//a/..." and "-//a" are no labels."""
        waiting = [build_targets.keyword(call, "packages")]
        constants = build_leaves.constants(self.tree)
        for node in waiting:
            for part in ast.walk(node) if node is not None else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    self.set_string(part, labels.pattern(part.value, self.port))
                    self.done.add(part)
                elif isinstance(part, ast.Name) and len(waiting) < len(constants) + 2:
                    waiting.append(constants.get(part.id))

    def string(self, node):
        """Ports a string that is in no list of labels."""
        text = node.value
        if is_part(text):
            label, problem = port_part(text, self.port), None
        elif labels.is_label(text):
            label, problem = self.resolve(text, False)
            if problem and self.is_package(node, text):
                label, problem = port_part(text, self.port), None
        elif text.startswith(":") and self.package is not None and (
                self.package.is_absent(text[1:]) or
                labels.offers(f"//{self.world}{text}", self.port)):
            label, problem = self.resolve(text, False)
        else:
            self.text(node)
            return
        if problem:
            self.edit.find_at_line(node.lineno, problem)
        else:
            self.tell_of_maker(node, text, label if label is not None else text)
        self.set_string(node, label if label is not None else text)

    def text(self, node):
        """Ports a string with names in it, as it is written: with its escapes."""
        start, end = self.span(node)
        kept, command = node in self.kept, node in self.commands

        def tell(problem):
            self.edit.find_at_line(node.lineno, problem)

        new = self.port.scripts.translate(
            self.edit.text[start:end], tell, lambda label: self.resolve(label, False),
            macros=not kept, variables=kept or command)
        self.edit.replace(start, end, new, _RULE)
        if "include" in node.value:
            advice = added_includes.advice(build_leaves.value_of(new), self.port)
            if advice is not None:
                tell(advice)
        position = self.port.scripts.leftover(new) if command else None
        if position is not None:
            self.edit.find_at_line(
                node.lineno + new.count("\n", 0, position), '"mediapipe" stays in this command: '
                "change it where it is the name of a file, a target or code")

    def is_package(self, node, text):
        """Whether a text that is assigned to a name is a package, to put names behind it."""
        assigned = any(getattr(s, "value", None) is node for s in self.tree.body)
        package = labels.split(port_part(text, self.port))[1]
        return assigned and ":" not in text and (
            self.port.checkout.targets(package) is not None or
            self.port.tree.own_package(labels.split(text)[1]) is not None)

    def set_string(self, node, new):
        if new == getattr(node, "value", None):
            return
        start, end = self.span(node)
        old = self.edit.text[start:end]
        value = node.value if isinstance(node, ast.Constant) else None
        at = old.find(value) if value else -1
        if at > 0:
            self.edit.replace(start + at, start + at + len(value), new, _RULE)
        else:  # put together, or written with escapes
            self.edit.replace(start, end, quoted(new), _RULE)
