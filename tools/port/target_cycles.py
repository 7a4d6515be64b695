"""Targets of the tree that lead to each other, which Bazel refuses.

A port may close a cycle: a label of what did not come along leads to Syncline's
target, and a select() to one branch; and a tree may bring one along.
"""
from port import build_leaves, build_targets, cycles
from port.own_labels import OwnLabels

_EDGES = ("deps", "exports", "actual", "implementation_deps", "runtime_deps", "srcs", "hdrs",
          "textual_hdrs", "data", "tools", "exec_tools", "src", "graph", "proto_lib", "tests",
          "cc_deps", "additional_deps")


class TargetCycles:
    """The cycles of the targets of a whole port, found when they are asked for."""

    def __init__(self, port):
        self._port = port
        self._found = None

    def of(self, package):
        """[(name of a target, labels of its cycle)] of the cycles that begin in a Package."""
        if self._found is None:
            self._found = {}
            graph, places = self._graph()
            for cycle in cycles.cycles(graph):
                own, name = places[cycle[0]]
                self._found.setdefault(own.path, []).append((name, cycle))
        return self._found.get(package.path, [])

    def _graph(self):
        """(label -> the labels that it leads to, label -> (Package, name)) of all targets."""
        tree, graph, places = self._port.tree, {}, {}
        for package in tree.packages.all():
            final = tree.final_path(package.path).rpartition("/")[0]
            own = OwnLabels(self._port, package.world, final, package)
            for name, call in package.calls():
                if package.call_is_absent(call):
                    continue
                label = own.full(":" + name)
                places.setdefault(label, (package, name))
                graph.setdefault(label, set()).update(self._edges(own, package, call, label))
                for other in build_targets.made(call.call, name) | package.outputs_of(name):
                    places.setdefault(own.full(":" + other), (package, name))
                    graph.setdefault(own.full(":" + other), set()).add(label)
        return graph, places

    def _edges(self, own, package, call, label):
        for attribute in _EDGES:
            node = build_targets.keyword(call.call, attribute)
            for leaf in build_leaves.leaves(node, package.scope(call), own.answer):
                if leaf.is_glob:
                    continue
                new = own.resolve(leaf.value, False)[0]
                new = own.full(new) if new else None
                # A file of the name of its own target is what is meant.
                if new and (new != label or attribute in ("deps", "actual")):
                    yield new
