"""Labels that a BUILD or .bzl file puts together: "//mediapipe/x:" + name, with % and format().

What one expression makes is written whole, since the label may be another here.
What a loop makes stays put together if the rule of names leads to the same
labels; a list of them is written out where it does not.
"""
import ast
import re

from port import build_leaves, build_targets, build_values, labels
from port.names import translate

_RULE = "labels"
HOLE = re.compile(r"%[sdr]|%\(|\{")
_MOST = 2000  # values of one expression
_MOST_TURNS = 10000  # of all loops of a statement


def is_part(text):
    """Whether a text is only the beginning of a label, or has holes in it."""
    return text.startswith(("//", "@")) and (
        text.endswith((":", "/")) or HOLE.search(text) is not None)


def port_part(text, port):
    """The beginning of a label by the rule of places and names; nothing is looked up."""
    text = labels.local(text, port)
    if not text.startswith("//"):
        return text
    hole = HOLE.search(text)
    end = min([text.index(":")] if ":" in text else [], default=len(text))
    if hole and hole.start() < end:
        end = text.rfind("/", 0, hole.start())
    path, rest = text[2:end].rstrip("/"), text[end:]
    if end == len(text) and text.endswith("/"):
        rest = "/"
    own = keeps_names(text, port)
    if path == "mediapipe" or path.startswith("mediapipe/") or (
            port.options.at is not None and path and own):
        path = port.tree.moved_path(path)
    if not path and rest.startswith("/"):
        rest = rest[1:]
    return "//" + path + (rest if own else translate(rest))


def keeps_names(text, port):
    """Whether a label is of a package of the tree, whose targets keep their names."""
    package = labels.split(labels.local(text, port).partition(":")[0] + ":x")[1].rstrip("/")
    return text.startswith(":") or port.tree.own_package(package) is not None


class Parts:
    """The labels in parts of one file; `build` is its Build of build_port.py."""

    def __init__(self, build):
        self._build, self._port = build, build.port
        self._values = {}   # expression -> its values; None: not all are known
        self._loops = {}    # expression -> the comprehensions that it is in, from outside
        self._turns_left = 0
        self._constants = build_leaves.constants(build.tree)
        self._ported = {}   # name of a constant -> its text after the port
        self.whole = {}     # expression -> the one text that it makes
        self.listed = {}    # comprehension -> the texts that it makes

    def find(self):
        """Finds the expressions and what they make."""
        variables = dict(self._build.known)
        for statement in self._build.tree.body:
            if statement in self._build.done:
                continue
            self._turns_left = _MOST_TURNS
            try:
                self._visit(statement, dict(variables), ())
            except RecursionError:
                pass  # what is nested so deeply is no label in parts
            variables.update(build_values.follow(statement, variables))
        for node, values in self._values.items():
            if values is not None and not self._loops[node] and len(set(values)) == 1:
                self.whole[node] = values[0]
            loop = self._loops[node][-1] if self._loops[node] else None
            if values is not None and len(self._loops[node]) == 1 and \
                    getattr(loop, "elt", None) is node:
                self.listed[loop] = values

    def run(self):
        """Ports those that are in no list of labels."""
        for node, values in self._values.items():
            if node in self._build.done:
                continue
            if node in self.whole:
                self._write_whole(node)
            else:
                self._port_pieces(node, values)

    # --- finding

    def _visit(self, node, variables, loops):
        if isinstance(node, (ast.ListComp, ast.For)) or isinstance(node, ast.FunctionDef):
            self._visit_scope(node, variables, loops)
            return
        if self._starts_label(node, variables):
            self._note(node, build_values.value(node, variables), loops)
            return
        for child in ast.iter_child_nodes(node):
            self._visit(child, variables, loops)

    def _visit_scope(self, node, variables, loops):
        if isinstance(node, ast.FunctionDef):
            variables = {k: v for k, v in variables.items()
                         if k not in {a.arg for a in node.args.args + node.args.kwonlyargs}}
            variables.update({k: build_values.value(v, variables)
                              for k, v in build_leaves.constants(node).items()})
            for part in node.body + node.args.defaults:
                self._visit(part, variables, loops)
            return
        is_loop = isinstance(node, ast.For)
        generators = [node] if is_loop else node.generators
        for loop in generators:
            self._visit(loop.iter, variables, loops)
        for bound in self._turns(generators, variables):
            for part in node.body if is_loop else [node.elt]:
                self._visit(part, bound, loops + (node,))

    def _turns(self, generators, variables):
        """The variables of the turns of some loops; of what is not known, or is too much, one
        turn without values."""
        found = [variables]
        for loop in generators:
            following = []
            for turn in found:
                through = build_values.items(loop, turn, certain=True)
                if len(following) + len(through or ()) > min(self._turns_left, _MOST):
                    return [{**variables, **_unknown(*(loop.target for loop in generators))}]
                following += [{**turn, **build_values.bind(loop.target, item)}
                              for item in through or ()] or [{**turn, **_unknown(loop.target)}]
            found = following
        self._turns_left -= len(found)
        return found

    def _starts_label(self, node, variables):
        """Whether an expression puts a text together that begins as a label does."""
        if not _is_composed(node):
            return False
        first = _first(node)
        text = first.value if isinstance(first, ast.Constant) else \
            variables.get(first.id) if isinstance(first, ast.Name) else None
        starts = ("//", "@", ":") if self._build.package is not None else ("//", "@")
        if not isinstance(text, str) or not text.startswith(starts):
            return False
        if isinstance(first, ast.Name) and first.id in self._constants:
            constant = self._constants[first.id]
            self._ported[first.id] = port_part(text, self._port)
            if isinstance(constant, ast.Constant) and constant not in self._build.done:
                self._build.set_string(constant, self._ported[first.id])
                self._build.done.add(constant)
        return True

    def _note(self, node, value, loops):
        values = self._values.setdefault(node, [])
        self._loops[node] = loops
        if not isinstance(value, str):
            self._values[node] = None
        elif values is not None and value not in values:
            values.append(value)

    # --- porting

    def _resolve(self, text):
        """(the label in full, or None; what is wrong)."""
        label, problem = self._build.resolve(text, False)
        return self._build.full(label) if label and not problem else None, problem

    def _write_whole(self, node):
        text = self.whole[node]
        label, problem = self._build.resolve(text, False) if not is_part(text) else (
            port_part(text, self._port), None)
        if problem:
            self._build.edit.find_at_line(node.lineno, problem)
        if label is not None and (label != text or problem):
            self._build.set_string(node, label)
        self._build.drop_tree(node)

    def _port_pieces(self, node, values):
        """Rewrites the texts in an expression by the rule."""
        first, new = _first(node), {}
        keeps = keeps_names(self._text(first), self._port)
        for piece in ast.walk(node):
            if isinstance(piece, ast.Constant) and isinstance(piece.value, str):
                new[piece] = port_part(piece.value, self._port) if piece is first else \
                    piece.value if keeps else translate(piece.value)
        for value in values or ():
            label, problem = self._resolve(value)
            if problem:
                self._build.edit.find_at_line(node.lineno, problem)
            elif self._by_rule(value) != label:
                self._build.edit.find_at_line(
                    node.lineno, f'"{value}", which is put together here, is "{label}": write it '
                    "whole")
        if values is None and any(p.value != t for p, t in new.items()):
            self._build.edit.find_at_line(
                node.lineno, f'a label that begins with "{self._text(first)}" is put together '
                "here: that beginning is ported, and nothing is looked up", hand=False)
        for piece, text in new.items():
            self._build.set_string(piece, text)
            self._build.done.add(piece)

    def _text(self, first):
        if isinstance(first, ast.Constant):
            return first.value
        constant = getattr(self._constants.get(first.id), "value", None)
        return constant if isinstance(constant, str) else first.id

    def _by_rule(self, text):
        return self._build.full(port_part(text, self._port))

    def can_stay(self, comprehension):
        """Whether the labels of a loop are what the rule makes of them."""
        return all(self._resolve(text) == (self._by_rule(text), None)
                   for text in self.listed[comprehension])


def _is_composed(node):
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Mod))
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format"


def _first(node):
    """The leftmost part of an expression."""
    while True:
        if isinstance(node, ast.BinOp):
            node = node.left
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
            node = node.func.value
        else:
            return node


def _unknown(*targets):
    """The variables of some loops, without values."""
    return {part.id: None for target in targets for part in ast.walk(target)
            if isinstance(part, ast.Name)}
