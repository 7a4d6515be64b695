"""Scheduling terms become conditions of the nodes of their entity."""
from gxf import kinds, tables
from gxf.kinds import as_list
from gxf.report import DIFFERS, NOT_MAPPED
from gxf.text_proto import unique

_PORTS = {kinds.INPUT: "receiver", kinds.INPUTS: "receivers", kinds.OUTPUT: "transmitter"}


class ConditionMapper:
    """The conditions of one node after the other."""

    def __init__(self, values, report):
        self.values = values  # Values of parameters.py
        self.application = values.application
        self.report = report

    def terms(self, node):
        """The terms that belong to a node: those of its ports, and those of no port."""
        return [term for term in node.entity.of(tables.TERMS)
                if self._port_parameter(term) is None or self._ends(term, node)]

    def _port_parameter(self, term):
        """The parameter that names ports, if there is one and it is given."""
        for name, kind in tables.TERMS[term.short][1].items():
            if kind in _PORTS and term.parameters.get(name) is not None:
                return name
        return None

    def _ends(self, term, node):
        """The ports of `node` that a term names."""
        named = as_list(term.parameters.get(self._port_parameter(term)))
        ends = [self.application.lookup(term.entity, item) for item in named]
        return [end for end in ends if end is not None and node.has(end)]

    def report_lost(self, nodes):
        """Terms whose ports no node has."""
        for node in nodes:
            for term in node.entity.of(tables.TERMS):
                if not term.done:
                    term.done = True
                    name = self._port_parameter(term)
                    self.report.add(term.place_of(name), NOT_MAPPED, f"{term}: its {name} "
                                    f'"{_shown(term.parameters[name])}" is no port of the node.')

    def names(self, node):
        """{term: name of its condition}; "" where the type is name enough."""
        taken, names = set(), {}
        for term in self.terms(node):
            name = unique(term.name or tables.TERMS[term.short][0], taken)
            names[term] = "" if name == tables.TERMS[term.short][0] else name
        return names

    def write(self, node, out):
        for term, name in self.names(node).items():
            term.done = True
            condition, known = tables.TERMS[term.short]
            with out.block("condition"):
                if name:
                    out.string("name", name)
                out.string("type", condition)
                if condition in tables.BARE_CONDITIONS:
                    self.values.write(term, known, out, node)
                else:
                    with out.options(condition + "Options"):
                        self.values.write(term, self._fitting(term, condition, known, node), out,
                                          node)
                        if condition == "BehaviorCondition":
                            self._write_controllers(node, out)

    def _write_controllers(self, node, out):
        for controller in node.entity.of(tables.CONTROLLERS):
            controller.done = True
            self.values.write(controller, tables.CONTROLLERS[controller.short], out)

    def _fitting(self, term, condition, known, node):
        """`known` without parameters that the others of this term make void or wrong."""
        def has(name):
            return term.parameters.get(name) is not None

        def leave_out(name, why):
            term.used.add(name)
            self.report.add(term.place_of(name), NOT_MAPPED, f"{term}: its {name} {why}")
            return {k: v for k, v in known.items() if k != name}

        if condition == "MemoryAvailableCondition" and has("min_bytes") and has("min_blocks"):
            return leave_out("min_blocks", "cannot stand beside min_bytes, in GXF neither.")
        if condition in tables.SUM_CONDITIONS and has("min_sum") and has("min_size"):
            return leave_out("min_sum", "is hidden by min_size, as in GXF.")
        if condition in tables.SUM_CONDITIONS and has("receivers") and has("min_sizes"):
            known = {**known, "min_sizes": self._sizes(term, node)}
        if condition == "MessageAvailableCondition" and has("front_stage_max_size"):
            least = kinds.uint64(term.parameters.get("min_size")) or "1"
            most = kinds.uint64(term.parameters["front_stage_max_size"])
            if most is not None and int(most) < int(least):
                return leave_out("front_stage_max_size", "is below min_size. There is one queue "
                                 "here, which could never be fit for a call.")
        if self._takes_several(term):
            self.report.add(term.place, DIFFERS, f"{term} lets a tick take several messages. A "
                            f"call gets one; to get them together, write batch {{ max_size: "
                            f'{self._takes_several(term)} }} in node "{node.name}" and read '
                            "cc->Batch().")
        return known

    def _takes_several(self, term):
        for name in ("min_size", "max_batch_size"):
            number = kinds.uint64(term.parameters.get(name))
            if (tables.TERMS[term.short][0] in tables.MESSAGE_CONDITIONS and number
                    and int(number) > 1):
                return number
        return None

    def _sizes(self, term, node):
        """min_sizes go with receivers, of which some may not be there."""
        receivers = as_list(term.parameters["receivers"])
        sizes = as_list(term.parameters["min_sizes"])
        if len(sizes) != len(receivers):
            self.report.add(term.place_of("min_sizes"), NOT_MAPPED, f"{term}: there are "
                            f"{len(receivers)} receivers and {len(sizes)} min_sizes.")
        found = [self.application.lookup(term.entity, item) for item in receivers]
        return kinds.repeated(kinds.uint64, {i for i, end in enumerate(found) if node.has(end)})

    # --- which packets meet

    def input_handler(self, node):
        """The handler that a node needs to be called as in GXF; None for the usual one."""
        receivers = node.ends(tables.RECEIVERS)
        if len(receivers) < 2 or node.calculator == tables.MERGE:
            return None
        waits_for = set()
        sums = False
        for term in self.terms(node):
            condition = tables.TERMS[term.short][0]
            mode = str(term.parameters.get("sampling_mode") or "SumOfAll")
            if condition in tables.SUM_CONDITIONS and mode not in ("PerReceiver", "1"):
                sums = True
            if condition in tables.MESSAGE_CONDITIONS | tables.SUM_CONDITIONS:
                waits_for.update(self._ends(term, node) if self._port_parameter(term)
                                 else receivers)
        if sums or (waits_for and waits_for != set(receivers)):
            self.report.add(node.codelet.place, DIFFERS, f'node "{node.name}" is called for '
                            "messages of some of its inputs: an ImmediateInputStreamHandler gives "
                            "it those of one timestamp at a time.")
            return "ImmediateInputStreamHandler"
        self.report.add(node.codelet.place, DIFFERS, f'node "{node.name}" gets messages of the '
                        "same timestamp together, from all its inputs; GXF gives it the oldest of "
                        "each, whatever their times.")
        return None


def _shown(value):
    return ", ".join(str(item) for item in as_list(value))
