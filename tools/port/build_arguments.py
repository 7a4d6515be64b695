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

    def port(self, call):
        """Takes out of a call what this Bazel, or the macro here, does not know."""
        known = self._known(call)
        if build_targets.rule(call) == "package":
            gone = [a for a in call.keywords if a.arg in bazel_rules.PACKAGE_ARGUMENTS]
        else:
            gone = [a for a in call.keywords
                    if known is not None and a.arg is not None and a.arg not in known]
        for argument in gone:
            self._tell(call, argument)
            self._build.drop_tree(argument)
        siblings = sorted(call.args + call.keywords, key=self._build.span)
        remove_siblings(self._build, siblings, gone)

    def _known(self, call):
        """What the rule takes; None for anything, or if that cannot be told."""
        name = getattr(call.func, "id", None)
        if name in self._loads.sources:
            return self._build.port.signatures.arguments(*self._loads.sources[name])
        if name in self._loads.own:
            return None
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
