"""The lists of labels in a call: deps, srcs, data and their like.

Each label becomes the one that leads to the same thing here.  What leads to
nothing is taken out and reported, since Bazel would not build the target; so is
what now stands twice, since Bazel would not load the package.
"""
import ast
import re

from port import build_leaves, build_targets, label_parts, labels

_RULE = "labels"
# The kinds of the lists that an attribute is made of: a constant of the file, a
# list in its place, one that only some builds have.
_CONSTANT, _PLAIN, _BRANCH = range(3)
FILES = ("srcs", "hdrs", "textual_hdrs", "data")
LISTS = ("deps", *FILES, "exports", "runtime_deps", "visibility", "tools", "default_visibility",
         "cc_deps", "additional_deps", "tests", "exec_tools", "tflite_deps", "implementation_deps",
         "match_any", "match_all", "actual")
_DECIDES = ("match_any", "match_all")  # of selects.config_setting_group()
_REST_OF_LINE = re.compile(r"[^\S\n]*,?[^\S\n]*(#[^\n]*)?\n")


class LabelLists:
    """Those of one file; `build` is its Build of build_port.py, `parts` its Parts."""

    def __init__(self, build, parts):
        self._build, self._parts = build, parts
        self._constants = build_leaves.constants(build.tree)
        self._scope = build_leaves.Scope(self._constants, build.values)
        self._canonical = {}  # id of a list -> what it holds at last
        self._texts = {}      # the same -> {label in full: how it is written}

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
        for node, _, _ in self._lists(build_targets.keyword(call, attribute)):
            found |= self._canonical.get(id(node), set())
        return found

    def first(self, node):
        """The first list of an attribute that stays in its place, with something in it; the
        attribute itself, if that is a list; or None."""
        plain = [part for part, kind, _ in self._lists(node)
                 if kind == _PLAIN and isinstance(part, ast.List)]
        return next((part for part in plain if set(part.elts) - self._build.gone),
                    node if node in plain else None)

    def _attribute(self, node, attribute):
        seen = set()
        # What a constant has stays there, since other attributes have it too.
        for part, kind, name in sorted(self._lists(node), key=lambda entry: entry[1]):
            found = self._list(part, attribute, set() if kind == _CONSTANT else seen)
            if kind == _CONSTANT and found & seen and not self._without(name, part, seen):
                self._build.edit.find_at_line(node.lineno, ", ".join(sorted(found & seen)) + " now "
                                              f"stands twice in {attribute}, by two constants: "
                                              "take it out of one")
            if kind != _BRANCH:
                seen |= found

    def _without(self, name, part, seen):
        """Puts the list of a constant in the place of its name, without what is there by
        another one; False if that cannot be done."""
        texts = self._texts.get(id(part))
        if name is None or texts is None or len(texts) < len(set(part.elts) - self._build.gone):
            return False
        self._build.edit.replace(*self._build.span(name), _written(
            text for label, text in texts.items() if label not in seen), _RULE)
        self._build.done.add(name)
        return True

    def _lists(self, node):
        """[(list, kind, name)] of an attribute, selects answered; name: the node that stands
        for the list in the attribute, if it is that of a constant."""
        found, waiting, constants = [], [(node, _PLAIN, None)], set()
        while waiting:
            node, kind, name = waiting.pop()
            if isinstance(node, ast.List) or node in self._parts.listed:
                found.append((node, kind, name))
            elif isinstance(node, ast.BinOp):
                # Of a sum that a constant stands for, no name stands for one list.
                waiting += [(side, kind, None) for side in (node.right, node.left)]
            elif isinstance(node, (ast.IfExp, ast.BoolOp)):
                sides = [node.orelse, node.body] if isinstance(node, ast.IfExp) else node.values
                waiting += [(side, _BRANCH, None) for side in sides]
            elif isinstance(node, ast.Name) and node.id not in constants:
                constants.add(node.id)
                waiting.append((self._constants.get(node.id),
                                _BRANCH if kind == _BRANCH else _CONSTANT,
                                node if kind == _PLAIN else None))
            elif build_leaves.is_select(node):
                taken = build_leaves.chosen(node, self._build.answer)
                waiting += [(taken, kind, None)] if taken is not None else [
                    (value, _BRANCH, None) for _, value in build_leaves.branches(node)]
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") != "glob":
                waiting += [(a, _BRANCH, None) for a in node.args]
        return found

    def _list(self, node, attribute, seen):
        """Ports one list; returns the labels that it holds then, in full."""
        if id(node) in self._canonical:
            return self._canonical[id(node)]
        if isinstance(node, ast.ListComp):
            return self._comprehension(node, attribute, seen)
        mine, texts, removed = self._fixed(node), {}, []
        for item in node.elts:
            text = self._text(item)
            if text is None:
                continue
            new = self._item(item, text, attribute)
            full = self._build.full(new) if new is not None else None
            if new is None or full in seen or full in mine:
                removed.append(item)
                continue
            mine.add(full)
            texts[full] = new
            self._build.set_string(item, new)
            self._build.drop_tree(item)
        for item in removed:
            self._build.drop_tree(item)
        self._build.gone.update(removed)
        remove_siblings(self._build, node.elts, removed)
        self._canonical[id(node)], self._texts[id(node)] = mine, texts
        return mine

    def _text(self, item):
        """The text of an item that can be written anew, or None."""
        if item in self._build.done:
            return None
        if item in self._parts.whole:
            return self._parts.whole[item]
        return item.value if isinstance(item, ast.Constant) and isinstance(
            item.value, str) else None

    def _fixed(self, node):
        """The labels in full of a list that are written elsewhere: in constants."""
        found = set()
        for item in node.elts:
            if isinstance(item, (ast.Name, ast.Subscript)):
                for leaf in build_leaves.leaves(item, self._scope, self._build.answer):
                    label = self._build.resolve(leaf.value, False)[0]
                    found |= {self._build.full(label)} if label else set()
        return found

    def _comprehension(self, node, attribute, seen):
        """Ports the labels that a loop makes: as it is, or written out."""
        texts = self._parts.listed[node]
        stays = self._parts.can_stay(node)
        new = {}
        for text in texts:
            label = self._item(node, text, attribute)
            if label is not None and self._build.full(label) not in seen:
                new.setdefault(self._build.full(label), label)
        if not stays or len(new) < len(texts):
            self._build.edit.replace(*self._build.span(node), _written(new.values()), _RULE)
            self._build.drop_tree(node)
        self._canonical[id(node)] = set(new)
        return set(new)

    def _item(self, item, text, attribute):
        """The label here, or None for one that is to go."""
        build = self._build
        is_file = attribute in FILES
        if not labels.is_label(text) and not (attribute and build.is_build):
            return text  # a constant of any use, or a label of an unknown package
        if label_parts.is_part(text):
            return label_parts.port_part(text, build.port)  # some other text is put behind it
        if attribute == "tests" and build.package is not None and \
                build.package.is_absent(text.lstrip(":")):
            return None  # a suite has the tests that came along
        if attribute in _DECIDES and build.answer(text) is not None:
            return None  # a condition that does not decide; else the group would be gone
        new, problem = build.resolve(text, is_file)
        if problem:
            build.edit.find_at_line(item.lineno, problem + (
                "" if new is None or not attribute else f"; it is left out of {attribute}"))
            return None if attribute else new or text
        if new is not None:
            build.tell_of_maker(item, text, new)
        return new


def _written(texts):
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def quoted(text):
    """A text as a literal of Starlark."""
    for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(sign, escape)
    return f'"{text}"'


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
