"""The lists of labels in a call: deps, srcs, data and their like.

Each label becomes the one that leads to the same thing here.  What leads to
nothing is taken out and reported, since Bazel would not build the target; so is
what now stands twice, since Bazel would not load the package.
"""
import ast
import re

from port import build_leaves, build_targets, labels

_RULE = "labels"
# The kinds of the lists that an attribute is made of: a constant of the file, a
# list in its place, one that only some builds have.
_CONSTANT, _PLAIN, _BRANCH = range(3)
FILES = ("srcs", "hdrs", "textual_hdrs", "data")
LISTS = ("deps", *FILES, "exports", "runtime_deps", "visibility", "tools", "default_visibility",
         "cc_deps", "additional_deps", "tests", "exec_tools", "tflite_deps", "implementation_deps",
         "match_any", "match_all")
_DECIDES = ("match_any", "match_all")  # of selects.config_setting_group()
_REST_OF_LINE = re.compile(r"[^\S\n]*,?[^\S\n]*(#[^\n]*)?\n")


class LabelLists:
    """Those of one file; `build` is its Build of build_port.py."""

    def __init__(self, build):
        self._build = build
        self._constants = build_leaves.constants(build.tree)
        self._canonical = {}  # id of a list -> what it holds at last

    def port(self, call):
        """Ports all lists of a call."""
        for argument in call.keywords:
            if argument.arg in LISTS:
                self._attribute(argument.value, argument.arg)

    def port_rest(self, tree):
        """Ports the lists outside of calls, whose use is not known: constants."""
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.List):
                self._list(statement.value, "", set())

    def staying(self, call, attribute):
        """The labels of an attribute after the port, in full."""
        found = set()
        for node, _ in self._lists(build_targets.keyword(call, attribute)):
            found |= self._canonical.get(id(node), set())
        return found

    def first(self, node):
        """The first list of an attribute that stays in its place, with something in it; the
        attribute itself, if that is a list; or None."""
        plain = [part for part, kind in self._lists(node) if kind == _PLAIN]
        return next((part for part in plain if set(part.elts) - self._build.gone),
                    node if node in plain else None)

    def _attribute(self, node, attribute):
        seen = set()
        # What a constant has stays there, since other attributes have it too.
        for part, kind in sorted(self._lists(node), key=lambda entry: entry[1]):
            found = self._list(part, attribute, set() if kind == _CONSTANT else seen)
            if kind == _CONSTANT and found & seen:
                self._build.edit.find_at_line(node.lineno, ", ".join(sorted(found & seen)) + " now "
                                              f"stands twice in {attribute}, by two constants: "
                                              "take it out of one")
            if kind != _BRANCH:
                seen |= found

    def _lists(self, node):
        """[(list, kind)] of an attribute, selects answered."""
        found, waiting, constants = [], [(node, _PLAIN)], set()
        while waiting:
            node, kind = waiting.pop()
            if isinstance(node, ast.List):
                found.append((node, kind))
            elif isinstance(node, ast.BinOp):
                waiting += [(node.right, kind), (node.left, kind)]
            elif isinstance(node, ast.Name) and node.id not in constants:
                constants.add(node.id)
                waiting.append((self._constants.get(node.id),
                                _BRANCH if kind == _BRANCH else _CONSTANT))
            elif build_leaves.is_select(node):
                taken = build_leaves.chosen(node, self._build.answer)
                waiting += [(taken, kind)] if taken is not None else [
                    (value, _BRANCH) for _, value in build_leaves.branches(node)]
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") != "glob":
                waiting += [(a, _BRANCH) for a in node.args]
        return found

    def _list(self, node, attribute, seen):
        """Ports one list; returns the labels that it holds then, in full."""
        if id(node) in self._canonical:
            return self._canonical[id(node)]
        mine, removed = set(), []
        for item in node.elts:
            if item in self._build.done or not isinstance(item, ast.Constant) or \
                    not isinstance(item.value, str):
                continue
            new = self._item(item, attribute)
            full = self._build.full(new) if new is not None else None
            if new is None or full in seen or full in mine:
                removed.append(item)
                continue
            mine.add(full)
            self._build.set_string(item, new)
            self._build.done.add(item)
        self._build.done.update(removed)
        self._build.gone.update(removed)
        remove_siblings(self._build, node.elts, removed)
        self._canonical[id(node)] = mine
        return mine

    def _item(self, item, attribute):
        """The label here, or None for one that is to go."""
        build = self._build
        is_file = attribute in FILES
        if not labels.is_label(item.value) and not (attribute and build.is_build):
            return item.value  # a constant of any use, or a label of an unknown package
        if attribute == "tests" and build.package is not None and \
                build.package.is_absent(item.value.lstrip(":")):
            return None  # a suite has the tests that came along
        if attribute in _DECIDES and build.answer(item.value) is not None:
            return None  # a condition that does not decide; else the group would be gone
        new, problem = build.resolve(item.value, is_file)
        if problem:
            build.edit.find_at_line(item.lineno, problem + (
                "" if new is None or not attribute else f"; it is left out of {attribute}"))
            return None if attribute else new or item.value
        return new


def remove_siblings(build, siblings, removed):
    """Takes nodes out of a list or a call: whole lines, where they have lines to themselves."""
    gone = set(removed)
    if not gone:
        return
    text = build.edit.text
    last_staying = max((i for i, node in enumerate(siblings) if node not in gone), default=None)
    for index, node in enumerate(siblings):
        if node not in gone:
            continue
        start, end = build.span(node)
        line = text.rfind("\n", 0, start) + 1
        alone = _REST_OF_LINE.match(text, end)
        if alone and not text[line:start].strip():
            build.edit.replace(line, alone.end(), "", _RULE)
        elif last_staying is not None and index > last_staying:
            # All behind the last one that stays, and the comma before it, goes at once.
            build.edit.replace(build.span(siblings[last_staying])[1],
                               build.span(siblings[-1])[1], "", _RULE)
        elif index + 1 < len(siblings):
            build.edit.replace(start, build.span(siblings[index + 1])[0], "", _RULE)
        else:
            build.edit.replace(start, end, "", _RULE)
