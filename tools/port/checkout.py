"""What a Syncline checkout offers: headers, labels, macros, registered names.

Read from the checkout that this tool belongs to, so that its answers are those
of the tree that the ported code will be built with.
"""
import difflib
import os
import re

from port import build_targets

_SYSTEM_INCLUDES = ("/usr/include", "/usr/include/eigen3", "/usr/include/opencv4",
                    "/usr/lib/gcc/x86_64-linux-gnu/12/include", "/usr/include/x86_64-linux-gnu",
                    "/usr/include/c++/12")
_REGISTRATION = re.compile(
    r"^\s*(?:REGISTER_CALCULATOR|SYNCLINE_REGISTER_NODE|REGISTER_SYNCLINE_GRAPH|"
    r"REGISTER_PACKET_GENERATOR|REGISTER_STATUS_HANDLER|REGISTER_EXECUTOR)\s*\(\s*([\w:]+)", re.M)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
_IMPORT = re.compile(r'^[ \t]*import[ \t]+(?:public[ \t]+)?"([^"]+\.proto)"', re.M)
_LIBRARIES = ("absl/", "glog/")
_GENERATED = ".pb.h"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CODE = re.compile(
    r"^[^\S\n]*(?:[^#\s]|#[^\S\n]*define[^\S\n]+\w+[^\S\n]*[^\s])", re.M)  # or a macro
_PUBLIC = ("framework", "calculators", "util", "gpu", "graphs")


def _generated(proto):
    return proto[:-len(".proto")] + _GENERATED


def read_text(path):
    """The text of a file, byte for byte; None if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None


class Checkout:
    """The Syncline checkout at `root`."""

    def __init__(self, root):
        self.root = root
        self._targets = {}
        self._registered = None
        self._headers = None
        self._brought = {}
        self._forwarded = None
        repositories = read_text(os.path.join(root, "third_party/repositories.bzl")) or ""
        self.repositories = set(re.findall(r'name = "(\w+)"', repositories))
        system = read_text(os.path.join(root, "third_party/system/system_library.bzl")) or ""
        table = re.search(r"^_ABSL = \{(.*?)^\}", system, re.M | re.S)
        self._abseil = {}
        for package, names in re.findall(r'"(\w+)": \[(.*?)\]', table[1] if table else "", re.S):
            self._abseil[package] = set(re.findall(r'"(\w+)"', names))

    def has_file(self, path):
        return os.path.isfile(os.path.join(self.root, path))

    def text(self, path):
        return read_text(os.path.join(self.root, path))

    def has_include(self, path):
        """Whether `#include "path"` finds a file of the checkout."""
        if path.endswith(_GENERATED):
            return self.has_file(path[:-len(_GENERATED)] + ".proto")
        return self.has_file(path)

    def brings(self, header):
        """The headers that `header` includes, and those that they do, of the checkout, Abseil
        and glog."""
        if header not in self._brought:
            self._brought[header] = brought = set()
            waiting = [header]
            while waiting:
                for path in self._included_by(waiting.pop()):
                    if path not in brought and (
                            path.startswith(_LIBRARIES) or self.has_include(path)):
                        brought.add(path)
                        waiting.append(path)
        return self._brought[header]

    def _included_by(self, header):
        """The paths that a header, perhaps a generated one, includes."""
        if not header.endswith(_GENERATED):
            return _INCLUDE.findall(self.text(header) or "")
        proto = self.text(header[:-len(_GENERATED)] + ".proto") or ""
        return [_generated(path) for path in _IMPORT.findall(proto)]

    def brought_by(self, included):
        """The headers of framework/ that need not be included beside those of `included`."""
        brought = set().union(*(self.brings(path) for path in included))
        known = brought | included
        return brought | {path for path, brings in self._forwarding() if brings <= known}

    def _forwarding(self):
        """(header, what it brings) of those that only name others: where those are, it is
        not missed.  So does a proto at MediaPipe's place."""
        if self._forwarded is None:
            headers = [path for path in self.headers()
                       if path.startswith("framework/") and path.endswith(".h")
                       and not _CODE.search(_COMMENT.sub("", self.text(path) or ""))]
            headers += [_generated(path) for path in self.headers()
                        if re.fullmatch(r"framework/\w+\.proto", path)]
            self._forwarded = [(path, self.brings(path)) for path in headers if self.brings(path)]
        return self._forwarded

    @staticmethod
    def has_system_include(path):
        """Whether the machine has the header; True where that cannot be told."""
        if not os.path.isdir("/usr/include/absl"):
            return True
        return any(os.path.exists(os.path.join(folder, path)) for folder in _SYSTEM_INCLUDES)

    def headers(self):
        """The public headers and protos of the checkout."""
        if self._headers is None:
            self._headers = [p for p in self._walk() if p.endswith((".h", ".proto"))]
        return self._headers

    def nearest_header(self, path):
        """The public header of the checkout that has the most similar path, or None."""
        name = os.path.basename(path)
        same = [h for h in self.headers() if os.path.basename(h) == name]
        if same:
            return same[0]
        close = difflib.get_close_matches(path, self.headers(), 1, 0.85)
        return close[0] if close else None

    def targets(self, package):
        """The names of the targets of a package that code elsewhere may use; None if there is
        no such package."""
        if package not in self._targets:
            text = read_text(os.path.join(self.root, package, "BUILD"))
            tree = build_targets.parse(text) if text is not None else None
            self._targets[package] = build_targets.names(tree) - build_targets.private_names(
                tree) if tree else None
        return self._targets[package]

    def has_label(self, package, name):
        targets = self.targets(package)
        if targets is None:
            return False
        return name in targets or self.has_file(os.path.join(package, name))

    def has_abseil(self, package, name):
        return name in self._abseil.get(package, ())

    def macros(self, path):
        """The names that a .bzl file defines."""
        text = read_text(os.path.join(self.root, path)) or ""
        return set(re.findall(r"^(?:def\s+)?(\w+)\s*(?:=|\()", text, re.M))

    def registered(self):
        """Registered name -> the file that registers it, of the calculators for everybody."""
        if self._registered is None:
            self._registered = {}
            for path in self._walk():
                if path.endswith(".cc") and not path.endswith("_test.cc"):
                    text = read_text(os.path.join(self.root, path)) or ""
                    for name in _REGISTRATION.findall(text):
                        self._registered.setdefault(name.split("::")[-1], path)
        return self._registered

    def _walk(self):
        for top in _PUBLIC:
            for folder, subfolders, files in os.walk(os.path.join(self.root, top)):
                subfolders[:] = sorted(d for d in subfolders if d != "testdata")
                for name in sorted(files):
                    yield os.path.relpath(os.path.join(folder, name), self.root)
