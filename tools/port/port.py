"""One port of one tree: which rule is for which file, and writing the copy.

    port = Port(tree, checkout, options)
    for result in port.run(): ...     # results only; nothing is written
    port.write(result, output)        # one file of the copy
"""
import os
import shutil
from dataclasses import dataclass, field

from port import source_tree
from port.build_port import port_build
from port.cpp_port import port_cpp
from port.deps import Deps
from port.findings import LANGUAGE_ADVICE, LANGUAGES
from port.names import StringRule
from port.proto_port import port_graph, port_proto
from port.text_edit import Finding, TextEdit

_GRAPHS = (".pbtxt", ".textproto", ".prototxt")
_WORKSPACES = ("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", ".bazelrc", ".bazelversion")


@dataclass
class Options:
    """What the user may choose."""
    at: str = None          # where the tree will lie in the checkout
    in_checkout: bool = False  # the copy is written into the checkout
    graphs: bool = False    # rewrite text graphs too
    std_types: bool = True  # std::string_view and std::optional become Abseil's


@dataclass
class Result:
    """What became of one file."""
    path: str
    output: str
    old: str = None
    new: str = None  # None: copied as it is; old and new are texts otherwise
    rules: dict = field(default_factory=dict)
    findings: list = field(default_factory=list)
    copied: bool = True


class Port:
    """Ports the files of `tree` for `checkout`."""

    def __init__(self, tree, checkout, options):
        self.tree, self.checkout, self.options = tree, checkout, options
        renamed = {name.replace("Syncline", "MediaPipe") for name in checkout.registered()
                   if "Syncline" in name}
        self.strings = StringRule(tree.own_folders(), tree.renamed_registrations() | renamed,
                                  tree.moved_path)
        self.includes = {}  # path -> what the ported file includes
        self.deps = Deps(self)
        self._outputs = {}

    def run(self):
        """A Result for each file, C++ before the BUILD files that list it."""
        for path in sorted(self.tree.files, key=lambda p: (_is_build(p), p)):
            yield self._port(path)
        for path, why in self.tree.skipped:
            yield Result(path, None, findings=[Finding(0, True, f"cannot be read: {why}")],
                         copied=False)

    def _port(self, path):
        kind = self.tree.files[path]
        result = Result(path, self.tree.output_path(path))
        first = self._outputs.setdefault(result.output, path)
        if first != path:
            result.copied = False
            result.findings.append(Finding(0, True, f'"{first}" has the same place in the copy; '
                                           "this one is left out: rename one of them"))
            return result
        if kind in (source_tree.UNREADABLE, source_tree.SPECIAL):
            result.copied = False
            why = "cannot be read" if kind == source_tree.UNREADABLE else "is no plain file"
            result.findings.append(Finding(0, True, f"{why}: not in the copy"))
        elif kind == source_tree.LINK:
            self._check_link(path, result)
        elif kind == source_tree.HUGE and _porter(path):
            result.findings.append(Finding(0, True, "larger than "
                                           f"{source_tree.HUGE_BYTES >> 20} MiB: copied as it is"))
        elif kind == source_tree.TEXT:
            self._port_text(path, result)
        return result

    def _check_link(self, path, result):
        target = os.readlink(os.path.join(self.tree.root, path))
        folder = os.path.dirname(os.path.join(self.tree.root, path))
        inside = os.path.normpath(os.path.join(folder, target))
        if os.path.isabs(target) or not inside.startswith(self.tree.root + os.sep):
            result.findings.append(Finding(
                0, True, f'a link to "{target}", outside of the tree: copied as a link'))

    def _port_text(self, path, result):
        text = self.tree.text(path)
        if text is None:
            result.copied = False
            result.findings.append(Finding(0, True, "cannot be read: not in the copy"))
            return
        edit = TextEdit(path, text)
        porter = _porter(path)
        if porter:
            try:
                porter(edit, self)
            except RecursionError:
                edit = TextEdit(path, text)
                edit.find(0, "nested too deeply: copied as it is")
            self._check_presence(edit, path)
        self._check_kind(edit, path)
        result.old, result.new = text, edit.result()
        result.rules, result.findings = edit.rules(), sorted(edit.findings)

    def _check_kind(self, edit, path):
        name, suffix = os.path.basename(path), os.path.splitext(path)[1]
        if suffix in LANGUAGES and "mediapipe" in edit.text.lower():
            edit.find(0, f"{LANGUAGES[suffix]}, copied as it is: {LANGUAGE_ADVICE}")
        elif suffix == ".py" and "import mediapipe" in edit.text:
            edit.find(0, "Python, copied as it is: " + LANGUAGE_ADVICE)
        elif name in _WORKSPACES:
            edit.find(0, "copied as it is: in a Syncline checkout, its own WORKSPACE counts; "
                      "carry your repositories over", hand=False)

    def _check_presence(self, edit, path):
        """Says what Syncline has already under the same path or the same name."""
        final = self.tree.final_path(path)
        by_rule = self.tree.rule_path(path)
        # A copy that is made again meets the one before.
        for name in {by_rule, by_rule if self.options.in_checkout else final}:
            if self.checkout.has_file(name) and not name.endswith(("BUILD", "BUILD.bazel")):
                edit.find(0, f'Syncline has its own "{name}": use that one, unless yours differs '
                          "on purpose", hand=False)
        if path.endswith(source_tree.CPP):
            for name in self.tree.registrations.get(path, ()):
                where = self.checkout.registered().get(name)
                if where and where not in (final, by_rule):
                    edit.find(0, f'Syncline registers "{name}" too, in {where}: a program that '
                              "links both ends with an error that names the two", hand=False)

    def write(self, result, output):
        """Writes one file of the copy below `output`."""
        if not result.copied:
            return
        source = os.path.join(self.tree.root, result.path)
        target = os.path.join(output, result.output)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.lexists(target):
            os.unlink(target)
        if self.tree.files[result.path] == source_tree.LINK:
            os.symlink(os.readlink(source), target)
            return
        if result.new is None or result.new == result.old:
            shutil.copyfile(source, target)
        else:
            with open(target, "w", encoding="utf-8", errors="surrogateescape",
                      newline="") as file:
                file.write(result.new)
        shutil.copymode(source, target)


def _is_build(path):
    return os.path.basename(path) in ("BUILD", "BUILD.bazel") or path.endswith(".bzl")


def _porter(path):
    if _is_build(path):
        return port_build
    if path.endswith(source_tree.CPP):
        return port_cpp
    if path.endswith(".proto"):
        return port_proto
    return port_graph if path.endswith(_GRAPHS) else None
