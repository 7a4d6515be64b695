"""The arguments of calls in BUILD files: those that nothing here knows go.

MediaPipe's macros, and newer Bazels, take more than ours; an argument too many
keeps the whole package from being loaded.  Each is told in the report.
"""
from port import bazel_rules, build_leaves, build_targets
from port.build_lists import remove_siblings


class Arguments:
    """Those of one file; `build` is its Build of build_port.py."""

    def __init__(self, build, loads):
        self._build, self._loads = build, loads
        self.further_deps = {}  # call -> deps that an argument would have brought
        package = build.package
        self._targets = {c.call for _, c in package.calls()} if package is not None else set()

    def port(self, call):
        """Takes out of a call what this Bazel, or the macro here, does not know."""
        known = self._known(call)
        if build_targets.rule(call) == "package":
            gone = [a for a in call.keywords if a.arg in bazel_rules.PACKAGE_ARGUMENTS]
        else:
            gone = [a for a in call.keywords
                    if known is not None and a.arg is not None and a.arg not in known]
        inside = [a for a in gone if a.arg == "implementation_deps" and call not in self._targets]
        for argument in inside:
            self._rename(call, argument)
        gone = [a for a in gone if a not in inside]
        for argument in gone:
            self._tell(call, argument)
            self._build.drop_tree(argument)
        siblings = sorted(call.args + call.keywords, key=self._build.span)
        remove_siblings(self._build, siblings, gone)

    def _rename(self, call, argument):
        """implementation_deps of a call in a macro, to which nothing is added later."""
        line = self._build.edit.line(self._build.span(argument)[0])
        start = self._build.span(argument)[0]
        alone = build_targets.keyword(call, "deps") is None
        if alone:
            self._build.edit.replace(start, start + len(argument.arg), "deps", "labels")
        self._build.edit.find_at_line(
            line, '"implementation_deps" is not known to this Bazel (4.2): ' +
            ("they are put into deps" if alone else "put them into deps"), hand=not alone)

    def _known(self, call):
        """What the rule takes; None for anything, or if that cannot be told."""
        name = getattr(call.func, "id", None)
        if name in self._loads.sources:
            return self._build.port.signatures.arguments(*self._loads.sources[name])
        if name in self._loads.own:
            origin = self._loads.origins.get(name)
            return self._build.port.world_signatures.hands_on(*origin) if origin else None
        return bazel_rules.NATIVE.get(build_targets.rule(call))

    def _tell(self, call, argument):
        build, rule = self._build, build_targets.rule(call)
        if rule == "package":
            return  # licences of packages are for nobody here
        if argument.arg == "implementation_deps":
            found = set()
            for leaf in build_leaves.leaves(argument.value, build_leaves.Scope(), build.answer):
                label, problem = build.resolve(leaf.value, False)
                if problem:
                    build.edit.find_at_line(leaf.node.lineno, problem)
                else:
                    found |= {build.full(label)} if label else set()
            self.further_deps[call] = found
            build.edit.find_at_line(argument.value.lineno, '"implementation_deps" is not known to '
                                    "this Bazel (4.2): they are put into deps", hand=False)
            return
        line = build.edit.line(build.span(argument)[0])
        build.edit.find_at_line(line, f'"{argument.arg}" is no argument of {rule} here: it is '
                                "left out", hand=False)
