"""Which library a header comes from, and who may include it.

A library names the library of each header of the project that its own sources
and headers include: what a dep of a dep exports may go away with it.  clang
checks the same with module maps (.ci/run), g++ does not.

Tests are free: they use what the libraries that they test use.
"""
import ast
import os
import re

import tidy_build

LIBRARIES = ("syncline_library", "cc_library", "syncline_cuda_kernel")
# What the rule of .cu files adds to the deps itself.
KERNEL_DEPS = {"//gpu:element_kernel", "//gpu:kernel", "//gpu:reduction_kernel"}
LOG_MACRO = re.compile(
    r'[^"/]*\b(D?P?CHECK(_(EQ|NE|LT|LE|GT|GE|NOTNULL))?|[DV]?LOG(_[A-Z_]+)?)\(')
LOG_HEADERS = {"glog/logging.h", "framework/port/logging.h"}


def first_log_macro(lines, included):
    """The line that uses a macro of the log, where nothing included has them.

    g++ would not notice: its precompiled headers have them (tools/build_rules).
    """
    if LOG_HEADERS.isdisjoint(included):
        for number, line in enumerate(lines, 1):
            if LOG_MACRO.match(line) and not line.startswith("#define"):
                return number
    return None


class Libraries:
    """The libraries of the BUILD files that were read."""

    def __init__(self):
        # The labels of the libraries that export a header, by its path.
        self.exporters = {}
        # (BUILD file, line, label, own files, labels of deps)
        self.libraries = []

    def read(self, path, rule, call):
        """Takes in one call of a rule in the BUILD file at `path`."""
        given = {k.arg: k.value for k in call.keywords}
        name = getattr(given.get("name"), "value", None)
        if not isinstance(name, str):
            return  # Made in a loop.
        package = os.path.dirname(path)
        label = f"//{package}:{name}"
        files = {kind: [os.path.join(package, file)
                        for file in tidy_build.constants(given[kind])]
                 for kind in ("srcs", "hdrs", "textual_hdrs") if kind in given}
        if rule == "syncline_proto":
            base = name.removesuffix("_proto")
            for proto in files.get("srcs") or [f"{package}/{base}.proto"]:
                self._exports(proto.removesuffix(".proto") + ".pb.h",
                              f"//{package}:{base}_cc_proto")
        if rule not in LIBRARIES:
            return
        if rule == "syncline_library" and tidy_build.stems_of(call):
            stems = [f"{package}/{stem}" for stem in tidy_build.stems_of(call)]
            files = {"srcs": [stem + ".cc" for stem in stems],
                     "hdrs": [stem + ".h" for stem in stems]}
        for header in files.get("hdrs", []) + files.get("textual_hdrs", []):
            self._exports(header, label)
        deps = {self._full(dep, package)
                for dep in tidy_build.constants(given.get("deps", ast.Tuple([])))}
        if rule == "syncline_cuda_kernel":
            deps |= KERNEL_DEPS
        own = [file for files_of_kind in files.values()
               for file in files_of_kind]
        self.libraries.append((path, call.lineno, label, own, deps))

    def _exports(self, header, label):
        self.exporters.setdefault(header, set()).add(label)

    @staticmethod
    def _full(label, package):
        if label.startswith(":"):
            return f"//{package}{label}"
        if label.startswith("//") and ":" not in label:
            return f"{label}:{label.split('/')[-1]}"
        return label

    def undeclared(self, includes_of):
        """Yields (BUILD file, line, reason) for each include without its dep.

        includes_of: gives what a file includes between quotes.
        """
        for path, line, label, own, deps in self.libraries:
            for file in own:
                for used in includes_of(file):
                    exporters = self.exporters.get(used)
                    if exporters and not exporters & (deps | {label}):
                        yield (path, line,
                               f'"{file}" includes "{used}": add '
                               f'"{min(exporters)}" to the deps of {label}')
