"""What a label in a BUILD file of the tree leads to, once the tree is ported."""
from port import build_leaves, build_targets, labels

_DEEPEST = 20  # groups of settings within each other


class OwnLabels:
    """The labels of one package; `package` is None for a .bzl file."""

    def __init__(self, port, world, final, package):
        """world: the package in MediaPipe's world; final: in the copy's checkout."""
        self._port, self._world, self._final, self._package = port, world, final, package

    def resolve(self, text, is_file):
        """(the label here, or None; what is wrong with it, or None)."""
        if labels.is_label(text):
            return labels.port_label(text, self._port)
        name = text[1:] if text.startswith(":") else text
        if self._package is None or self._package.has(name):
            return text, None
        label = f"//{self._world}:{name}"
        if self.maker(text) is not None:
            return text, None
        if is_file and not text.startswith(":") and not labels.offers(label, self._port):
            return None, f'"{text}" is not in this tree: copy it too'
        if not self._world.startswith("mediapipe"):
            return None, f'this tree has no "{text}" in "//{self._final}"'
        return labels.port_label(label, self._port)

    def maker(self, text):
        """The place in the tree of what may make the target of a label that is not found; None
        for labels that are, here or in Syncline."""
        if labels.is_label(text):
            local = labels.local(text, self._port)
            repo, world, name = labels.split(local)
            own = self._port.tree.own_package(world) if not repo else None
            if local in labels.TABLE or name.startswith("__") or own is None:
                return None
            package = own[1]
        else:
            package, world, name = self._package, self._world, text.lstrip(":")
        if package is None or world.startswith("mediapipe") and labels.offers(
                f"//{world}:{name}", self._port):
            return None
        return package.maker(name)

    def full(self, label):
        """A ported label from the root of the workspace."""
        if label.startswith(("//", "@")):
            return labels.short(label)
        return labels.join(self._final, label[1:] if label.startswith(":") else label)

    def answer(self, condition, asked=0):
        """Whether a condition of select() holds here; None if that cannot be told."""
        known = labels.CONDITIONS.get(condition)
        if known is not None or not isinstance(condition, str) or asked > _DEEPEST or \
                not condition.startswith(("//mediapipe", "@mediapipe//", ":")):
            return known
        group = self.group(condition)
        if group is not None:
            return self._answer_of_group(group, asked + 1)
        return None if self.resolve(condition, False)[1] is None else False

    def group(self, condition):
        """The selects.config_setting_group() of the tree that a label names, or None."""
        if condition.startswith(":"):
            package = self._package
        else:
            package = self._port.tree.packages.get(labels.split(condition)[1])
        return package.group(labels.split(condition)[2].lstrip(":")) if package else None

    def _answer_of_group(self, call, asked):
        for attribute, decides in (("match_any", True), ("match_all", False)):
            node = build_targets.keyword(call, attribute)
            if node is None:
                continue
            answers = [self.answer(leaf.value, asked)
                       for leaf in build_leaves.leaves(node, build_leaves.Scope())]
            if decides in answers:
                return decides
            return None if None in answers else not decides
        return None

    def rules(self):
        """name -> {attribute: labels here} of the targets that are in the tree."""
        found = {}
        for name, call in self._package.calls():
            if self._package.call_is_absent(call):
                continue
            mine = found.setdefault(name, {"deps": []})
            for attribute in ("deps", "exports", "actual", "implementation_deps"):
                for leaf in build_leaves.leaves(build_targets.keyword(call.call, attribute),
                                                self._package.scope(call), self.answer):
                    label = self.resolve(leaf.value, False)[0]
                    mine["deps"] += [self.full(label)] if label else []
            for other in build_targets.made(call.call, name):
                found.setdefault(other, {"deps": [self.full(":" + name)]})
        return found
