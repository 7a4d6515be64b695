"""Parameters: those of components that have a counterpart, and those of codelets."""
import re

from gxf import kinds, tables
from gxf.kinds import as_list
from gxf.nodes import port_text
from gxf.report import DIFFERS, NOT_MAPPED
from gxf.text_proto import quote
from gxf.yaml_lines import List, Mapping, Text

_INT = re.compile(r"[-+]?[0-9]{1,25}")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
# Parameters with such names are components in GXF's codelets.
_POOL = re.compile(r"(.*_)?(pool|allocator)")


def shown(value):
    """A value as messages show it: short, on one line."""
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


class Values:
    """Texts of parameters, in the light of the whole application."""

    def __init__(self, application, report):
        self.application = application
        self.report = report
        self.clock = None  # the component that is the graph's
        self.allocators = {}  # component: name in the graph
        self.stream_pools = {}  # component: name that its nodes share

    def write(self, component, known, out, node=None):
        """Writes fields for the parameters that `known` has kinds for; reports the others."""
        for name, kind in known.items():
            component.used.add(name)
            if component.parameters.get(name) is not None:
                for text in self._texts(component, name, kind, node):
                    out.field(name, text)
        self.report_unused(component)

    def report_missing(self, component, kind):
        """Reports what a component has to say, and does not."""
        for names in tables.REQUIRED.get(kind, ()):
            if all(component.parameters.get(name) is None for name in names):
                self.report.add(component.place, NOT_MAPPED,
                                f"{component} has no {' and no '.join(names)}.")

    def report_unused(self, component):
        for name in component.parameters:
            if name not in component.used:
                component.used.add(name)
                self.report.add(component.place_of(name), NOT_MAPPED,
                                f'{component}: its parameter "{name}" has no counterpart.')

    def _texts(self, component, name, kind, node):
        value = component.parameters[name]
        if kind == kinds.CLOCK:
            found = self.application.lookup(component.entity, value)
            if found is None or found is not self.clock:
                self._refuse(component, name, "is not the clock of the scheduler, and a graph has "
                             "one clock")
            return []
        if isinstance(kind, kinds.repeated):
            items = kind.items(value)
        else:
            items = as_list(value) if kind == kinds.INPUTS else [value]
        texts = [self._text(component, item, kind, node) for item in items]
        if None in texts:
            # Of several ports those that there are still count; of numbers none would.
            self._refuse(component, name, "means nothing here" if kind not in kinds.REFERENCES
                         else "is nothing that the graph has")
            texts = [t for t in texts if t is not None] if kind == kinds.INPUTS else []
        return texts

    def _text(self, component, item, kind, node):
        if isinstance(kind, kinds.repeated):
            return kind.kind(item)
        if kind not in kinds.REFERENCES:
            return kind(item)
        found = self.application.lookup(component.entity, item)
        if kind == kinds.ALLOCATOR:
            return quote(self.allocators[found]) if found in self.allocators else None
        return quote(port_text(node.port[found])) if node and node.has(found) else None

    def _refuse(self, component, name, why):
        self.report.add(component.place_of(name), NOT_MAPPED, f"{component}: its {name} "
                        f'"{shown(component.parameters[name])}" {why}.')


class CodeletParameters:
    """What a codelet is told becomes syncline.Parameters of its node."""

    def __init__(self, values, conditions, report):
        self.values = values
        self.conditions = conditions
        self.report = report
        self.condition_names = {}  # term: (node, name of its condition)

    def learn(self, nodes):
        """Which conditions there are to refer to."""
        for node in nodes:
            if node.codelet is not None:
                for term, name in self.conditions.names(node).items():
                    name = name or tables.TERMS[term.short][0]
                    self.condition_names.setdefault(term, (node, name))

    def write(self, node, out):
        codelet = node.codelet
        self._write_device_options(node, out)
        if codelet.short in {*tables.ROUTERS, *tables.BEHAVIORS}:
            self.values.write(codelet, {}, out)  # it has options of its own, or none
            return
        lines = []
        for key, value in codelet.parameters.items():
            if key in codelet.used:
                continue
            codelet.used.add(key)
            field = self._field(node, key, value)
            if field is None:
                self.report.add(codelet.place_of(key), NOT_MAPPED, f"{codelet}: its parameter "
                                f'"{key}" with the value "{shown(value)}" is no parameter here.')
            elif field:
                lines.append(f"parameter {{ key: {quote(key)} {field} }}")
        if lines:
            with out.block("node_options"), out.block("[type.googleapis.com/syncline.Parameters]"):
                for line in lines:
                    out.line(line)

    def _write_device_options(self, node, out):
        """What a node has of devices: its stream pool, and all that a TensorCopier is told."""
        pool = self._stream_pool(node)
        is_copier = node.codelet.short == tables.TENSOR_COPIER
        if (pool is None and not is_copier) or node.codelet.short in tables.BEHAVIORS:
            return
        with out.block("options"):
            if is_copier:
                self._write_copier(node.codelet, out)
            if pool is not None:
                with out.block("[syncline.CudaStreamPoolOptions.ext]"):
                    out.string("name", self.values.stream_pools[pool])
                    self.values.write(pool, tables.STREAM_POOL_PARAMETERS, out)

    def _stream_pool(self, node):
        """The one that a parameter of the codelet names; None for none."""
        pools = []
        for key, value in node.codelet.parameters.items():
            for item in as_list(value):
                found = self.values.application.lookup(node.entity, item)
                if found in self.values.stream_pools:
                    if node.codelet.short in tables.ROUTERS:
                        node.codelet.used.add(key)
                    if found not in pools:
                        pools.append(found)
        for pool in pools:
            pool.done = True
        for pool in pools[1:]:
            self.report.add(pool.place, NOT_MAPPED, f'{pool}: node "{node.name}" has one stream '
                            "pool, and names another one before.")
        return pools[0] if pools else None

    def _write_copier(self, codelet, out):
        mode = codelet.take("mode")
        text = tables.COPIER_MODES(mode) if mode is not None else None
        if text is None:
            self.report.add(codelet.place_of("mode"), NOT_MAPPED, f"{codelet}: its mode "
                            + ("is missing" if mode is None else f'"{shown(mode)}" means nothing')
                            + ". It is 0 (to the device), 1 (to pinned memory) or 2 (to the host).")
            text = "DEVICE"
        with out.block("[syncline.TensorCopierCalculatorOptions.ext]"):
            out.field("mode", text)
        named = codelet.take("allocator")
        if named is None:
            return
        found = self.values.application.lookup(codelet.entity, named)
        if found not in self.values.allocators:
            self.report.add(codelet.place_of("allocator"), NOT_MAPPED, f"{codelet}: its allocator "
                            f'"{shown(named)}" is nothing that the graph has.')
        elif text == "SYSTEM":
            self.report.add(codelet.place_of("allocator"), DIFFERS, f"{codelet}: its allocator is "
                            "not used, as a Tensor of the host has memory of its own.")
        else:
            with out.block("[syncline.GpuMemoryOptions.ext]"):
                out.string("allocator" if text == "DEVICE" else "host_allocator",
                           self.values.allocators[found])

    def write_behavior(self, node, out):
        """A behaviour has its own condition, and starts the conditions of its children."""
        codelet = node.codelet
        with out.block("options"), out.block("[syncline.BehaviorCalculatorOptions.ext]"):
            for child in as_list(codelet.take("children")):
                known, name = self._reference(node, "children", child)
                if not known or not name:
                    self.report.add(codelet.place_of("children"), NOT_MAPPED,
                                    f'{codelet}: its child "{shown(child)}" is no term of a node.')
                else:
                    out.string("children", name)
            known, name = self._reference(node, "s_term", codelet.take("s_term"))
            if known and name:
                out.string("s_term", name)
            self._check_controller(node)
            self.values.write(codelet, tables.BEHAVIORS[codelet.short], out)
            self.values.report_missing(codelet, codelet.short)
        self._check_children(codelet)

    def _check_controller(self, node):
        """It is part of the node's condition; one that is none of GXF's is reported as such."""
        controller = node.codelet.take("controller")
        if controller is not None and self.values.application.lookup(
                node.entity, controller) is None:
            self.report.add(node.codelet.place_of("controller"), NOT_MAPPED, f"{node.codelet}: its "
                            f'controller "{shown(controller)}" is nothing that there is.')

    def _check_children(self, codelet):
        """Numbers that have to fit the number of children."""
        count = len(as_list(codelet.parameters.get("children")))
        for name, low, high in (("success_threshold", -1, count), ("failure_threshold", -1, count),
                                ("desired_behavior", 0, count - 1)):
            text = kinds.int64(codelet.parameters.get(name))
            if name in tables.BEHAVIORS[codelet.short] and text and not low <= int(text) <= high:
                self.report.add(codelet.place_of(name), NOT_MAPPED, f"{codelet}: its {name} {text} "
                                f"does not fit {count} children; the graph is refused with it.")
        if codelet.short == "RepeatBehavior" and count != 1:
            self.report.add(codelet.place, NOT_MAPPED, f"{codelet} has {count} children; the graph "
                            "is refused unless it has one.")

    def _field(self, node, key, value):
        """ "int_value: 3" and so on; "" if it needs none, None if it can be none."""
        if value is None:
            return ""
        if isinstance(value, List):
            return self._list(node, key, value)
        if isinstance(value, Mapping):
            return None
        known, name = self._reference(node, key, value)
        if known:
            return f"string_value: {quote(name)}" if name else name
        kind, text = _scalar(value)
        self._check_is_text(node, key, value, kind)
        return f"{kind}_value: {text}"

    def _check_is_text(self, node, key, value, kind):
        """A text that is meant to be a component, and is the name of none."""
        if kind != "string" or not value:
            return
        application = self.values.application
        if _POOL.fullmatch(key) or application.names_no_component(node.entity, value):
            self.report.add(node.codelet.place_of(key), NOT_MAPPED, f"{node.codelet}: its "
                            f'parameter "{key}" is "{shown(value)}", which is no component of the '
                            "application; it becomes text.")

    def _list(self, node, key, values):
        """All of one kind: whole numbers are numbers beside others, all else is text."""
        items = []
        for value in values:
            if not isinstance(value, Text):
                return None
            known, name = self._reference(node, key, value)
            if known and not name:
                return name
            items.append(("string", quote(name)) if known else _scalar(value))
            if not known:
                self._check_is_text(node, key, value, items[-1][0])
        found = {kind for kind, _ in items}
        if found == {"int", "double"}:
            kind, texts = "double", [text for _, text in items]
        elif found == {"int", "uint"} and not any(text[0] == "-" for _, text in items):
            kind, texts = "uint", [text for _, text in items]
        elif len(found) == 1:
            kind, texts = found.pop(), [text for _, text in items]
        else:
            kind = "string"
            texts = [text if k == "string" else quote(v) for (k, text), v in zip(items, values)]
        if not texts:
            return "list {}"
        return f"list {{ {kind}_value: [ {', '.join(texts)} ] }}"

    def _reference(self, node, key, value):
        """(whether a value names a component, the name by which a calculator gets that).

        A name "" needs no parameter, and None is reported by the caller.
        """
        found = self.values.application.lookup(node.entity, value)
        if found is None:
            return False, None
        if found in self.values.allocators:
            return True, self.values.allocators[found]
        if found in self.values.stream_pools:
            return True, ""  # it is in the node's options
        if found in self.condition_names:
            owner, name = self.condition_names[found]
            return True, name if owner is node.top else f"{owner.name}/{name}"
        if found is self.values.clock:
            self.report.add(node.codelet.place_of(key), DIFFERS, f'{node.codelet}: its "{key}" is '
                            "the graph's clock, which a calculator has as cc->Clock().")
            return True, ""
        return True, None


def _scalar(value):
    """(kind, text) of a scalar: quotes make it text, as YAML has it."""
    if not value.quoted:
        if value.lower() in ("true", "false"):
            return "bool", value.lower()
        if _INT.fullmatch(value) or _HEX.fullmatch(value):
            number = int(value, 16 if _HEX.fullmatch(value) else 10)
            if -2**63 <= number < 2**63:
                return "int", str(number)
            if 0 <= number < 2**64:
                return "uint", str(number)
        number = kinds.double(value)
        if number is not None:
            return "double", number
        if value.lower() in (".inf", "+.inf", "-.inf", ".nan"):
            return "double", value.lower().replace(".", "").lstrip("+")
    return "string", quote(value)
