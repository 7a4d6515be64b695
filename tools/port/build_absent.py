"""Targets that a BUILD file has and the copy does not: those of files that did not come
along, those that are not built here, and those that are nothing without either.
"""
import ast

from port import build_targets, build_values, labels, own_packages
from port.build_lists import quoted, remove_siblings

_PYTHON = ("py_binary", "py_test")
# A target is nothing without what these name.
_MOST_WRITTEN = 20000  # items of a loop, as constants may stand in each other many times over
_SCALARS = ("actual", "graph", "proto_lib", "src", "input", "binary", "main")


class AbsentTargets:
    """Those of one BUILD file; `build` is its Build of build_port.py."""

    def __init__(self, build):
        self._build, self._edit, self._package = build, build.edit, build.package
        self._left = 0  # how many items may still be written

    def comment_out(self):
        """Takes out the targets of the files that were not copied."""
        count, of_statement, python = 0, {}, []
        for _, call in self._package.calls():
            of_statement.setdefault(call.statement, []).append(call)
        for statement, calls in of_statement.items():
            absent = [self._package.call_is_absent(call) for call in calls]
            foreign = [call for call in calls if self._package.foreign(call)
                       and not self._package.lacks_files(call)]
            count += sum(absent) - len(foreign)
            for call in foreign:
                self._tell_foreign(call)
            python += [c.call for c, gone in zip(calls, absent)
                       if not gone and build_targets.rule(c.call) in _PYTHON]
            if all(absent):
                self._build.comment_out(statement)
            elif any(absent):
                self._shorten_loop(statement, absent)
        if count:
            self._edit.find_at_line(1, f"{count} targets have no file in this tree and are "
                                    "commented out: those that Syncline has take their place",
                                    hand=False)

        if python:
            self._edit.find_at_line(
                python[0].lineno, f"what {build_targets.rule(python[0])} makes is started by the "
                "command python, which Debian 12 has only with the package python-is-python3",
                hand=False)

    def _tell_foreign(self, call):
        name = build_targets.target_name(call.call, call.variables)
        self._edit.find_at_line(
            call.call.lineno, f'":{name}" is of {build_targets.rule(call.call)}, and is commented '
            f"out: {self._package.foreign(call)}")

    def comment_out_groups(self):
        """Takes out the groups of settings whose answer is known: no select() asks them."""
        for statement in self._build.tree.body:
            call = getattr(statement, "value", None)
            if not isinstance(call, ast.Call) or statement in self._build.done or \
                    build_targets.rule(call) != "config_setting_group":
                continue
            name = build_targets.target_name(call, {})
            answer = self._build.answer(f":{name}") if name else None
            if answer is not None:
                self._edit.find_at_line(statement.lineno, f'":{name}" is always {answer} here, and '
                                        "is commented out", hand=False)
                self._build.comment_out(statement)

    def _shorten_loop(self, statement, absent):
        """Takes the items out of a loop for which there is no file."""
        items = own_packages.loop_items(statement)
        if items is None or len(items) != len(absent):
            self._write_loop(statement, absent)
            return
        gone = [item for item, is_absent in zip(items, absent) if is_absent]
        for item in gone:
            self._build.drop_tree(item)
        remove_siblings(self._build, items, gone)

    def _write_loop(self, statement, absent):
        """Writes out what a loop over a constant goes through, without what has no file."""
        generators, _ = build_targets.loop_of(statement)
        loop = generators[0]
        items = build_values.items(loop, self._build.values)
        self._left = _MOST_WRITTEN
        texts = [self._written(item) for item in items] if items is not None else [None]
        if None in texts or len(texts) != len(absent) or len(generators) > 1:
            self._edit.find_at_line(statement.lineno, "the loop makes targets that have no file in "
                                    "this tree: take them out of what it goes through")
            return
        self._edit.replace(*self._build.span(loop.iter), "[" + ", ".join(
            text for text, is_absent in zip(texts, absent) if not is_absent) + "]", "labels")
        self._build.drop_tree(loop.iter)

    def _written(self, item):
        """An item of a loop as it is written: strings, and tuples of them; None for others."""
        self._left -= 1
        if self._left < 0:
            return None
        if isinstance(item, list):
            inner = [self._written(part) for part in item]
            return None if None in inner or not inner else "(" + ", ".join(inner) + ",)"
        if not isinstance(item, str) or labels.is_label(item):
            return None
        return quoted(self._build.port.strings.translate(item))

    def check_scalars(self, call, name):
        """Comments a target out whose one label leads nowhere."""
        done = self._build.done
        for argument in call.keywords:
            node = argument.value
            if argument.arg not in _SCALARS or not isinstance(node, ast.Constant) or \
                    not isinstance(node.value, str) or node in done or call in done:
                continue
            label, problem = self._build.resolve(node.value, argument.arg != "actual")
            if not problem and label and not labels.is_label(node.value):
                self._build.tell_of_maker(node, node.value, label)
            statement = next((s for s in self._build.tree.body
                              if getattr(s, "value", None) is call), None)
            if problem and statement is not None:
                self._edit.find_at_line(node.lineno, f'{problem}; ":{name}" is nothing without '
                                        "it, and is commented out")
                self._build.comment_out(statement)
                return
