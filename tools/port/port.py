"""One port of one tree: which rule is for which file, and writing the copy.

    port = Port(tree, checkout, options)
    for result in port.run(): ...     # results only; nothing is written
    port.write(result, output)        # one file of the copy
"""
import os
import re
import shutil
from dataclasses import dataclass, field

from port import cycles, labels, script_port, shown, source_tree, syntax, virtual_paths
from port.bazel_rules import Signatures
from port.build_port import port_build
from port.cpp_port import port_cpp
from port.deps import Deps
from port.findings import LANGUAGE_ADVICE, LANGUAGES
from port.names import StringRule, strip_root
from port.own_macros import World, WorldSignatures
from port.proto_port import port_graph, port_proto
from port.script_names import ScriptNames
from port.target_cycles import TargetCycles
from port.text_edit import Finding, TextEdit

_GRAPHS = (".pbtxt", ".textproto", ".prototxt")
_LONG_LINE = 100000
_NO_UTF8 = re.compile("[\udc80-\udcff]")
# Endings of files that may not lead back to themselves, and what then happens.
_CYCLES = {".proto": "protoc refuses it",
           ".bzl": "Bazel loads none of them, nor a BUILD file that loads one"}
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
        self.strings = StringRule(
            tree.own_folders(), tree.renamed_registrations() | renamed, self.moved_path,
            (lambda path: tree.own_file(path) in tree.files) if options.at is not None else None)
        self.scripts = ScriptNames(self)
        tree.packages.offers = lambda label: labels.offers(label, self)
        self.signatures = Signatures(checkout)
        self.world_signatures = WorldSignatures(World(tree, checkout))
        self.includes = {}  # path -> what the ported file includes
        self.added = {}     # path -> those of them that the original did not
        self.virtual = virtual_paths.paths(self)
        self.target_cycles = TargetCycles(self)
        self.deps = Deps(self)
        self._cycles = {cycle[0]: cycle for cycle in cycles.cycles(
            {**tree.own_includes(), **tree.packages.loads.graph()})}
        self._outputs = {}

    def moved_path(self, path):
        """Where a path in MediaPipe's world leads: if the tree does not have the file, to the
        one that the checkout has at the rule's place."""
        here = strip_root(path)
        if self.tree.own_file(path) is None and self.checkout.has_include(here):
            return here
        return self.tree.moved_path(path)

    def run(self):
        """A Result for each file, headers before what includes them, and C++ before
        the BUILD files that list it."""
        for path in sorted(self.tree.files, key=lambda p: (
                _is_build(p), not p.endswith(source_tree.HEADERS), p)):
            yield self._port(path)
        for path, why in self.tree.skipped:
            yield Result(path, None, findings=[Finding(0, True, f"cannot be read: {why}")],
                         copied=False)

    def _port(self, path):
        kind = self.tree.files[path]
        result = Result(path, self.tree.output_path(path))
        if shown.path(path) != path:
            result.findings.append(Finding(0, False, "a name with spaces or signs: Bazel refuses "
                                           "some, so name it otherwise if a target needs it"))
        first = self._outputs.setdefault(result.output, path)
        if first != path:
            result.copied = False
            result.findings.append(Finding(
                0, True, f"{shown.quoted(first)} has the same place in the copy; this one is left "
                "out: rename one of them"))
            return result
        if kind in (source_tree.UNREADABLE, source_tree.SPECIAL):
            result.copied = False
            why = "cannot be read" if kind == source_tree.UNREADABLE else "is no plain file"
            result.findings.append(Finding(0, True, f"{why}: not in the copy"))
        elif kind == source_tree.LINK:
            self._check_link(path, result)
        elif kind == source_tree.BINARY and _porter(path):
            result.findings.append(Finding(0, True, "is no text, but has NUL bytes, as UTF-16 has: "
                                           "copied as it is; save it as UTF-8"))
        elif kind == source_tree.HUGE and _porter(path):
            result.findings.append(Finding(0, True, "larger than "
                                           f"{source_tree.HUGE_BYTES >> 20} MiB: copied as it is"))
        elif kind == source_tree.TEXT:
            self._port_text(path, result)
        return result

    def _check_link(self, path, result):
        full = os.path.join(self.tree.root, path)
        target = os.readlink(full)
        inside = os.path.normpath(os.path.join(os.path.dirname(full), target))
        if os.path.isabs(target) or not _lies_in(inside, self.tree.root):
            why = ", outside of the tree"
        elif not os.path.exists(full):
            why = ", which leads nowhere"
        elif _lies_in(full, inside):
            why = ", a folder around it, into which Bazel goes without end"
        else:
            return
        result.findings.append(Finding(
            0, True, f"a link to {shown.quoted(target)}{why}: copied as a link"))

    def _port_text(self, path, result):
        text = self.tree.text(path)
        if text is None:
            result.copied = False
            result.findings.append(Finding(0, True, "cannot be read: not in the copy"))
            return
        edit = TextEdit(path, text)
        porter = _porter(path, text)
        if porter:
            edit = self._ported(porter, edit)
            self._check_presence(edit, path)
            self._check_bytes(edit)
            self._check_cycle(edit)
        self._check_kind(edit, path)
        mark = source_tree.MARK if path in self.tree.marked else ""
        if mark and _is_build(path):
            edit.find(0, "the byte order mark is left out: Bazel refuses it", hand=False)
            result.old, result.new = mark + text, edit.result()
        else:
            result.old, result.new = mark + text, mark + edit.result()
        result.rules = edit.rules()
        result.findings += sorted(edit.findings)

    def _ported(self, porter, edit):
        """The edit after the rule for its file; a file beyond that is left as it is."""
        try:
            porter(edit, self)
            return edit
        except RecursionError:
            why = "nested too deeply"
        # One file that the port cannot cope with does not end that of all others.
        except Exception as error:  # pylint: disable=broad-except
            why = f"beyond the port ({type(error).__name__}: {error})"
        edit = TextEdit(edit.path, edit.text)
        edit.find(0, why + ": copied as it is")
        return edit

    @staticmethod
    def _check_bytes(edit):
        """Says what is unusual about the bytes of a file that was taken for text."""
        if not edit.text:
            edit.find(0, "is empty", hand=False)
        found = _NO_UTF8.search(edit.text)
        if found:
            edit.find_at_line(edit.line(found.start()), "is not UTF-8 here: the bytes stay as they "
                              "are", hand=False)
        if "\0" in edit.text:
            edit.find_at_line(edit.line(edit.text.index("\0")), "a NUL byte: compilers refuse it")
        longest = max(edit.text.split("\n"), key=len)
        if len(longest) > _LONG_LINE:
            edit.find_at_line(edit.line(edit.text.index(longest)), f"a line of {len(longest)} "
                              "characters", hand=False)

    def _check_cycle(self, edit):
        """Tells a cycle of includes, imports or loads at the file of it that comes first."""
        cycle = self._cycles.get(edit.path)
        if cycle is None:
            return
        following = os.path.basename((cycle + cycle)[1])
        place = re.search(r"""(?:include[^\n]*|import[^\n]*|load\s*\(\s*["'][^\n]*)["'/<:]""" +
                          re.escape(following), edit.text)
        what = next((what for ending, what in _CYCLES.items() if edit.path.endswith(ending)), "")
        edit.find_at_line(edit.line(place.start()) if place else 1, "a cycle: " + " -> ".join(
            shown.quoted(path) for path in cycle + cycle[:1]) + ": " + (
                what or "only guards end it"), hand=bool(what))

    def _check_kind(self, edit, path):
        name, suffix = os.path.basename(path), os.path.splitext(path)[1]
        if suffix in LANGUAGES and "mediapipe" in edit.text.lower():
            edit.find(0, f"{LANGUAGES[suffix]}, copied as it is: {LANGUAGE_ADVICE}")
        elif name in _WORKSPACES:
            edit.find(0, "copied as it is: in a Syncline checkout, its own WORKSPACE counts; "
                      "carry your repositories over", hand=False)
        elif not _porter(path, edit.text):
            script_port.note_data(edit, self)

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
        _make_folders(os.path.dirname(target))
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


def _make_folders(path):
    """os.makedirs, which takes no path of a thousand folders."""
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        os.mkdir(folder)


def _lies_in(path, folder):
    return path == folder or path.startswith(folder + os.sep)


def _is_build(path):
    return os.path.basename(path) in ("BUILD", "BUILD.bazel") or path.endswith(".bzl")


def _porter(path, text=""):
    """The rule for a file, or None."""
    if _is_build(path):
        return port_build
    path = syntax.TEMPLATE.sub("", path)
    if path.endswith(source_tree.CPP):
        return port_cpp
    if path.endswith(".proto"):
        return port_proto
    if path.endswith(_GRAPHS):
        return port_graph
    return {"shell": script_port.port_shell, "python": script_port.port_python}.get(
        script_port.kind(path, text))
