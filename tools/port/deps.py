"""Which deps a ported target lacks: headers lie in other targets than MediaPipe's.

A header that a file includes has to come from its target's deps, directly or
through others, or Bazel does not let the compiler see it.
"""
import os

from port import build_targets, implied, labels


class Deps:
    """The graph of targets, of the checkout and of the ported tree."""

    def __init__(self, port):
        self.port = port
        self._rules = {}  # package -> {name: attributes}
        self._reach = {}
        self._own = {}    # final package -> package in MediaPipe's world
        for path in port.tree.files:
            if os.path.basename(path) in ("BUILD", "BUILD.bazel"):
                final = os.path.dirname(port.tree.final_path(path))
                self._own[final] = os.path.dirname(path)

    def owner(self, header):
        """The label of the checkout's target that has a header, or None."""
        folder, name = os.path.split(header)
        if folder in self._own:
            return None  # the tree's own BUILD files are right about the tree
        source = name[:-len(".pb.h")] + ".proto" if name.endswith(".pb.h") else None
        for target, attributes in self._package(folder).items():
            if source and source in attributes.get("srcs", ()) and target.endswith("_proto"):
                return labels.join(folder, target[:-len("_proto")] + "_cc_proto")
            if not source and {name, ":" + name} & set(attributes.get("hdrs", ())):
                return labels.join(folder, target)
        return None

    def missing(self, headers, deps, package):
        """Labels that have the headers, and that `deps` do not lead to."""
        reached = set()
        for label in deps:
            reached |= self.reach(self._short(self.absolute(label, package)))
        wanted = {self.owner(header) or implied.LABELS.get(header) for header in headers}
        result = wanted - {None} - reached
        if build_targets.ABSEIL in reached:
            result = {label for label in result if not label.startswith("@com_google_absl//")}
        return {label for label in result
                if not any(label in self.reach(other) for other in result - {label})}

    @staticmethod
    def absolute(label, package):
        return labels.join(package, label[1:]) if label.startswith(":") else label

    def reach(self, label):
        """All labels that a label leads to, itself too."""
        if label not in self._reach:
            found, waiting = set(), [label]
            while waiting:
                here = waiting.pop()
                if here in found:
                    continue
                found.add(here)
                if here.startswith("//"):
                    waiting += self._deps(here)
            self._reach[label] = found
        return self._reach[label]

    def _deps(self, label):
        _, package, name = labels.split(label)
        attributes = self._package(package).get(name, {})
        found = []
        for attribute in ("deps", "exports", "actual"):
            for dep in attributes.get(attribute, ()):
                if package in self._own and labels.is_label(dep):
                    dep = labels.port_label(dep, self.port)[0]
                if dep and (dep.startswith(("//", "@", ":"))):
                    found.append(self._short(self.absolute(dep, package)))
        return found

    @staticmethod
    def _short(label):
        repo, package, name = labels.split(label)
        return label if repo else labels.join(package, name)

    def _package(self, package):
        if package not in self._rules:
            if package in self._own:
                folder = self._own[package]
                text = self.port.tree.text(os.path.join(folder, "BUILD")) or \
                    self.port.tree.text(os.path.join(folder, "BUILD.bazel"))
            else:
                text = self.port.checkout.text(os.path.join(package, "BUILD"))
            try:
                tree = build_targets.parse(text) if text else None
                self._rules[package] = build_targets.rules(tree) if tree else {}
            except RecursionError:
                self._rules[package] = {}
        return self._rules[package]
