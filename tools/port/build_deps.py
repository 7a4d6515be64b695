"""The deps that the headers need which the sources of a target include.

They are put into the call that makes the target, where its rule or macro takes
deps; a macro that takes none, or gives its own beside those, is for a person.
"""
import ast
import os

from port import build_leaves, build_targets, build_values, labels, own_globs, own_packages

_SOURCES = ("srcs", "hdrs", "textual_hdrs")
_RULE = "deps added"


class AddedDeps:
    """Those of one BUILD file; `build` is its Build of build_port.py."""

    def __init__(self, build, lists, arguments, macros):
        self._build, self._lists = build, lists
        self._arguments, self._macros = arguments, macros
        self._edit, self._port = build.edit, build.port
        self._package = build.package

    def run(self):
        """Adds the deps of all targets, and reports what cannot be added."""
        of_node, listed = {}, set()
        for _, call in self._package.calls():
            if call.call not in self._build.done and not self._package.call_is_absent(call):
                of_node.setdefault(call.call, []).append(call)
        for node, calls in of_node.items():  # several: a loop
            files = [self._files(call) for call in calls]
            listed.update(*files)
            takes = self._macros.takes_deps(node)
            if takes is False and build_targets.rule(node) in own_packages.KNOWN:
                continue  # nothing is compiled there: a filegroup, say
            present = [self._present(call) for call in calls]
            new = set().union(*(self._new(call, found, there) for call, found, there in zip(
                calls, files, present)))
            new -= self._circular(node, calls, new)
            if not new:
                continue
            twice = new & set().union(*present)
            if self._unknown(calls) or self._tables_with_deps(calls[0]):
                twice = new
            if twice:
                self._tell_of_sum(node, calls, twice)
            if new == twice:
                continue
            new -= twice
            if takes or self._macros.argument(node, "deps") is not None:
                self._insert(node, sorted(new))
            else:
                self._tell(node, calls, new)
        self._check_rest(of_node, listed)
        self._tell_cycles(of_node)

    def _circular(self, node, calls, new):
        """Those of some deps that lead back to the target, which are reported."""
        own = {self._build.full(":" + build_targets.target_name(call.call, call.variables))
               for call in calls}
        found = {label for label in new if own & self._port.deps.reach(label)}
        if found:
            self._edit.find_at_line(
                node.lineno, f'"{min(own)}" needs {", ".join(sorted(found))}, which leads back to '
                "it: put what both need into a target of its own")
        return found

    def _tell_cycles(self, of_node):
        """Reports the cycles that begin in this package."""
        lines = {build_targets.target_name(c.call, c.variables): node.lineno
                 for node, calls in of_node.items() for c in calls}
        for name, cycle in self._port.target_cycles.of(self._package):
            way = " -> ".join(f'"{label}"' for label in cycle + cycle[:1])
            self._edit.find_at_line(lines.get(name, 1), f"a cycle, which Bazel refuses: {way}: "
                                    "take one of these deps out")

    def _tell(self, node, calls, new):
        names = [build_targets.target_name(c.call, c.variables) for c in calls]
        rule = build_targets.rule(node)
        place = self._macros.place(node)
        self._edit.find_at_line(
            node.lineno, f'":{names[0]}" needs {", ".join(sorted(new))}, which {rule}() ' + (
                f'does not take as deps: add them to those that it gives, in "{place}"' if place
                else "may not take: add them where its deps come from"))

    def _tell_of_sum(self, node, calls, new):
        """Reports what some targets lack whose deps are put together: Bazel refuses a label that
        comes twice."""
        names = [build_targets.target_name(c.call, c.variables) for c in calls]
        self._edit.find_at_line(
            node.lineno, f'":{names[0]}" and what is made with it may need '
            f'{", ".join(sorted(new))}: add them where its deps come from, if they are not there')

    def _unknown(self, calls):
        """Whether a part of the deps of some targets cannot be read."""
        for call in calls:
            scope, deps = self._scope(call), self._macros.argument(call.call, "deps")
            if deps is not None and any(
                    isinstance(part, ast.Slice) or isinstance(part, ast.ListComp) and
                    build_values.turns(part.generators, scope.variables) is None
                    for part in ast.walk(deps)):
                return True
            for part in build_leaves.names(deps):
                if part.id not in scope.constants and scope.variables.get(part.id) is None:
                    return True
        return False

    def _tables_with_deps(self, call):
        """The expressions of `**X` in a call that have deps, or may have them."""
        constants, found = self._scope(call).constants, []
        for table in (k.value for k in call.call.keywords if k.arg is None):
            table = constants.get(getattr(table, "id", None), table)
            if isinstance(table, ast.Dict):
                names = [getattr(key, "value", "deps") for key in table.keys]
            elif isinstance(table, ast.Call) and getattr(table.func, "id", "") == "dict" and \
                    not table.args:
                names = [k.arg or "deps" for k in table.keywords]
            else:
                names = ["deps"]
            found += [table] if "deps" in names else []
        return found

    def _scope(self, call):
        """What names stand for in a call, those from .bzl files of the tree too."""
        scope = self._package.scope(call)
        return build_leaves.Scope({**self._macros.constants(), **scope.constants},
                                  scope.variables)

    def _check_rest(self, of_node, listed):
        """Reports files that only a macro of the tree, or a loop over what is not known, can
        name, if they need deps."""
        unread = [call for call in self._package.unread() if call not in self._build.done]
        loops = self._unread_loops()
        for call in loops:
            self._edit.find_at_line(call.lineno, "what this loop goes through is not known: the "
                                    "port has read none of its targets", hand=False)
        macros = [node for node in of_node if self._macros.place(node)] + loops
        macros += [call for call in unread if call not in macros]
        given = set().union(*(self._macros.given(node) for node in macros))
        texts = {node: self._texts(node) for node in macros}
        for file in sorted(self._port.added) if macros else ():
            if file in listed or os.path.dirname(file) != self._build.folder:
                continue
            needed = self._port.deps.missing(self._port.added[file], given)
            if needed:
                stem = os.path.splitext(os.path.basename(file))[0]
                node = max(macros, key=lambda n: (
                    max(len(os.path.commonprefix([stem, self._name(n, of_node)])),
                        *(size for size in range(len(stem) + 1) if stem[:size] in texts[n])),
                    n in loops, -n.lineno))
                place = self._macros.place(node)
                self._edit.find_at_line(
                    node.lineno, f'"{os.path.basename(file)}" is in no target that the port can '
                    f'read, and needs {", ".join(sorted(needed))}: ' + (
                        f'add them to the deps of the target that has it, in "{place}"' if place
                        else "see that the target that has it has them"))

    def _unread_loops(self):
        """The calls in loops of which no turn is known."""
        loops = [build_targets.loop_of(statement) for statement in self._build.tree.body
                 if isinstance(statement, ast.Expr)]
        known = {call.call for _, call in self._package.calls()} | self._build.done
        return [call for generators, call in loops
                if generators and isinstance(call, ast.Call) and call not in known]

    @staticmethod
    def _name(node, of_node):
        call = of_node[node][0] if node in of_node else None
        return build_targets.target_name(call.call, call.variables) or "" if call else ""

    @staticmethod
    def _texts(node):
        """The texts in a call, of which one may be the beginning of a name."""
        return {"", *(part.value for part in ast.walk(node) if isinstance(part, ast.Constant)
                      and isinstance(part.value, str))}

    def _files(self, call):
        """The files in the tree that a target compiles, of groups of files too."""
        found, waiting, groups = set(), [call], set()
        name = build_targets.target_name(call.call, call.variables)
        for text in self._macros.files(call.call, name):
            file = os.path.join(self._build.folder, self._in_package(text))
            if file in self._port.includes:
                found.add(file)
        while waiting:
            call = waiting.pop()
            for attribute in _SOURCES:
                for leaf in build_leaves.leaves(self._macros.argument(call.call, attribute),
                                                self._package.scope(call), self._build.answer):
                    name = self._in_package(leaf.value)
                    if leaf.is_glob:
                        found.update(own_globs.matching(
                            self._port.includes, self._build.folder, name))
                        continue
                    if name not in groups:
                        groups.add(name)
                        waiting += self._package.file_groups(name)
                    found.add(os.path.join(self._build.folder, name))
        return found

    def _in_package(self, text):
        """A label, or the name of a file, from the folder of the package."""
        if labels.is_label(text):
            own = self._port.tree.own_file("/".join(labels.split(text)[1:]))
            return os.path.relpath(own, self._build.folder or ".") if own is not None else text
        return text[1:] if text.startswith(":") else text

    def _present(self, call):
        """The deps in full that a target has."""
        present = self._lists.staying(call.call, "deps") | self._macros.given(call.call)
        given = [self._macros.argument(call.call, "deps")]
        if self._macros.place(call.call):  # which may hand on any of its arguments as deps
            given += call.call.args + [k.value for k in call.call.keywords
                                       if k.arg != "implementation_deps"]
        given += [part for table in self._tables_with_deps(call) for part in ast.walk(table)
                  if isinstance(part, ast.List)]
        for leaf in [leaf for node in given for leaf in build_leaves.leaves(
                node, self._scope(call), self._build.answer)]:
            label = self._build.resolve(leaf.value, False)[0]  # also what a loop puts together
            present |= {self._build.full(label)} if label else set()
        return present

    def _new(self, call, files, present):
        """The deps in full that a target lacks."""
        headers = set().union(*(self._port.includes.get(file, ()) for file in files))
        wanted = self._arguments.further_deps.get(call.call, set()) - present
        own = self._build.full(":" + build_targets.target_name(call.call, call.variables))
        return (wanted | self._port.deps.missing(headers, present | wanted)) - {own}

    def _written(self, label):
        """A label in full as a BUILD file of its package writes it."""
        _, package, name = labels.split(label)
        return ":" + name if label.startswith("//") and package == self._build.final else label

    def _insert(self, call, new):
        deps = self._macros.argument(call, "deps")
        newline, edit = self._edit.newline, self._edit
        new = [self._written(label) for label in new]
        text = ", ".join(f'"{label}"' for label in new)
        if deps is None:
            last = (call.args + [k.value for k in call.keywords if k.arg == "name"])[-1:]
            if last:
                edit.insert(self._build.span(last[0])[1], f",{newline}    deps = [{text}]", _RULE)
            return
        first = self._lists.first(deps)
        staying = [n for n in first.elts if n not in self._build.gone] if first is not None else []
        if staying:
            item = next((n for n in staying
                         if not str(getattr(n, "value", "")).startswith(":")), staying[0])
            start = self._build.span(item)[0]
            indent = edit.text[edit.text.rfind("\n", 0, start) + 1:start]
            between = newline + indent if not indent.strip() else " "
            edit.insert(start, "".join(f'"{n}",{between}' for n in new), _RULE)
        elif first is deps:
            edit.insert(self._build.span(first)[0] + 1, text, _RULE)
        else:
            # "+" binds closer than `a if b else c`, and than `or`.
            is_loose = isinstance(deps, (ast.IfExp, ast.BoolOp))
            if is_loose:
                edit.insert(self._build.span(deps)[0], "(", _RULE)
            close = ")" if is_loose else ""
            edit.insert(self._build.span(deps)[1], f"{close} + [{text}]", _RULE)
