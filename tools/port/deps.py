"""Which deps a ported target lacks: headers lie in other targets than MediaPipe's.

A header that a file includes has to come from its target's deps, directly or
through others, or Bazel does not let the compiler see it.
"""
import os

from port import build_targets, implied, labels
from port.own_labels import OwnLabels


class Deps:
    """The graph of targets, of the checkout and of the ported tree."""

    def __init__(self, port):
        self._port = port
        self._rules = {}  # package -> {name: attributes}
        self._reach = {}
        # What was found of the graph so far, in which each target is looked at once.
        self._seen = set()
        self._edges = []  # (label, one that it leads to)
        self._back = {}   # label -> those that lead to it at once
        self._leading = {}  # label -> ({all that lead to it}, how many edges were looked at)
        self._own = {}    # final package -> Package of the tree
        self._own_headers = None

    def owner(self, header):
        """The label of the checkout's target that has a header, or None."""
        if header in self._headers():
            return None  # the tree's own BUILD files are right about the tree
        folder, name = os.path.split(header)
        source = name[:-len(".pb.h")] + ".proto" if name.endswith(".pb.h") else None
        for target, attributes in self._checkout_rules(folder).items():
            if source and source in attributes.get("srcs", ()) and target.endswith("_proto"):
                target = target[:-len("_proto")] + "_cc_proto"
            elif source or not {name, ":" + name} & set(attributes.get("hdrs", ())):
                continue
            if self._port.checkout.has_label(folder, target):  # not one for Syncline alone
                return labels.join(folder, target)
        return None

    def missing(self, headers, deps):
        """Labels that have the headers, and that `deps` do not lead to."""
        wanted = {self.owner(header) or implied.label(header, self._port.checkout)
                  for header in headers}
        result = {label for label in wanted - {None} if not self._lead_to(deps, label)}
        if self._lead_to(deps, build_targets.ABSEIL):
            result = {label for label in result if not label.startswith("@com_google_absl//")}
        return {label for label in result if not self._lead_to(result - {label}, label)}

    def _lead_to(self, some, label):
        """Whether one of some labels leads to `label`, or is it."""
        for one in some:
            self._explore(one)
        found, looked_at = self._leading.get(label, ({label}, 0))
        for edge in range(looked_at, len(self._edges)):
            here, to = self._edges[edge]
            waiting = [here] if to in found else []
            while waiting:
                here = waiting.pop()
                if here not in found:
                    found.add(here)
                    waiting += self._back.get(here, ())
        self._leading[label] = found, len(self._edges)
        return not found.isdisjoint(some)

    def _explore(self, label):
        """Adds what a label leads to to the graph."""
        waiting = [label]
        while waiting:
            here = waiting.pop()
            if here in self._seen:
                continue
            self._seen.add(here)
            for to in self._deps(here) if here.startswith("//") else ():
                self._edges.append((here, to))
                self._back.setdefault(to, []).append(here)
                waiting.append(to)

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
        return [labels.short(labels.join(package, dep[1:]) if dep.startswith(":") else dep)
                for attribute in ("deps", "exports", "actual")
                for dep in attributes.get(attribute, ()) if dep.startswith(("//", "@", ":"))]

    def _headers(self):
        """Where the files of the tree, made ones too, will lie."""
        if self._own_headers is None:
            tree = self._port.tree
            files = set(tree.files) | tree.generated()
            files |= {path[:-len(".proto")] + ".pb.h" for path in files if path.endswith(".proto")}
            self._own_headers = {tree.final_path(path) for path in files}
            self._own_headers.update(self._port.virtual.values())
            self._own = {os.path.dirname(tree.final_path(package.path)): package
                         for package in tree.packages.all()}
        return self._own_headers

    def _package(self, package):
        self._headers()
        if package not in self._own:
            return self._checkout_rules(package)
        key = ("own", package)
        if key not in self._rules:
            own = self._own[package]
            labels_of_package = OwnLabels(self._port, own.world, package, own)
            # Syncline's own, for where the copy lies over it.
            self._rules[key] = {**self._checkout_rules(package), **labels_of_package.rules()}
        return self._rules[key]

    def _checkout_rules(self, package):
        if package not in self._rules:
            text = self._port.checkout.text(os.path.join(package, "BUILD"))
            tree = build_targets.parse(text) if text else None
            self._rules[package] = build_targets.rules(tree) if tree else {}
        return self._rules[package]
