"""Scheduling terms become conditions of the nodes of their entity.

Those that an OrConditionCombiner names become a group of which one is enough.
Which packets a node is called with, and whether without any, is in handlers.py.
"""
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
        self._receivers_of = None  # once somebody asks

    def terms(self, node):
        """The terms that belong to a node: those of its ports, and those of no port."""
        return [term for term in node.entity.of(tables.TERMS)
                if self.port_parameter(term) is None or self.ends(term, node)]

    def port_parameter(self, term):
        """The parameter that names ports, if there is one and it is given."""
        for name, kind in tables.TERMS[term.short][1].items():
            if kind in _PORTS and term.parameters.get(name) is not None:
                return name
        return None

    def ends(self, term, node):
        """The ports of `node` that a term names."""
        named = as_list(term.parameters.get(self.port_parameter(term)))
        ends = [self.application.lookup(term.entity, item) for item in named]
        return [end for end in ends if end is not None and node.has(end)]

    def report_lost(self, nodes):
        """Terms whose ports no node has."""
        for node in nodes:
            for term in node.entity.of(tables.TERMS):
                if not term.done:
                    term.done = True
                    name = self.port_parameter(term)
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
        names = self.names(node)
        groups = self.groups(node)
        grouped = {term for members in groups for term in members}
        for term, name in names.items():
            if term not in grouped:
                self._write_term(term, name, node, out)
        for members in groups:
            with out.block("any_of"):
                for term in members:
                    self._write_term(term, names[term], node, out)

    def groups(self, node):
        """[terms] of each combiner; a term is in one of them at most."""
        names, groups, taken = self.names(node), [], set()
        for combiner in node.entity.of(tables.COMBINERS):
            combiner.done = True
            members = []
            for reference in as_list(combiner.take("terms")):
                term = self.application.lookup(combiner.entity, reference)
                if term in names and term not in taken:
                    members.append(term)
                    taken.add(term)
                else:
                    self.report.add(combiner.place_of("terms"), NOT_MAPPED, f"{combiner}: its term "
                                    f'"{_shown(reference)}" is ' + (
                                        "in another combiner." if term in taken else
                                        f'no condition of the node "{node.name}".'))
            self.values.report_unused(combiner)
            if members:
                groups.append(members)
                self.report.add(combiner.place, DIFFERS, f"{combiner} is an any_of: it is NEVER "
                                "only if all of its members are (GXF: one is enough), and of "
                                "two times it waits for the earlier one (GXF: the later).")
            else:
                self.report.add(combiner.place, NOT_MAPPED, f"{combiner} combines nothing.")
        return groups

    def _write_term(self, term, name, node, out):
        term.done = True
        condition, known = tables.TERMS[term.short]
        self._check_ports(term, known, node)
        with out.block("condition"):
            if name:
                out.string("name", name)
            out.string("type", condition)
            if condition in tables.BARE_CONDITIONS:
                self.values.write(term, known, out, node)
                return
            with out.options(condition + "Options"):
                self.values.write(term, self._fitting(term, condition, known, node), out, node)
                if condition == "BehaviorCondition":
                    self._write_controllers(node, out)
            self.values.report_missing(term, condition)

    def _check_ports(self, term, known, node):
        """Ports that a condition has to name, and cannot name twice."""
        for name, kind in known.items():
            types = tables.TRANSMITTERS if kind == kinds.OUTPUT else tables.RECEIVERS
            ports = len(node.ends(types))
            items = [str(item) for item in as_list(term.parameters.get(name))]
            if kind not in _PORTS:
                continue
            if not items and (ports == 0 or (ports > 1 and kind != kinds.INPUTS)):
                self._report_missing(term, f"{name}, and its node has {ports or 'none'}")
            elif len(set(items)) < len(items):
                self.report.add(term.place_of(name), NOT_MAPPED, f"{term}: its {name} "
                                f'"{_shown(items)}" names one twice; the graph is refused with it.')

    def _write_controllers(self, node, out):
        for controller in node.entity.of(tables.CONTROLLERS):
            controller.done = True
            known = tables.CONTROLLERS[controller.short]
            as_running = "return_behavior_running_if_failure_repeat"
            if controller.parameters.get("max_repeat_count") is None and controller.take(
                    as_running) is not None:
                self.report.add(controller.place_of(as_running), NOT_MAPPED, f"{controller}: its "
                                f"{as_running} needs a max_repeat_count.")
                known = {}
            self.values.write(controller, known, out)

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
        if condition in tables.SUM_CONDITIONS:
            known = self._fitting_sum(term, known, node, has, leave_out)
        if condition == "MessageAvailableCondition" and has("front_stage_max_size"):
            least = kinds.uint64(term.parameters.get("min_size")) or "1"
            most = kinds.uint64(term.parameters["front_stage_max_size"])
            if most is not None and int(most) < int(least):
                return leave_out("front_stage_max_size", "is below min_size. There is one queue "
                                 "here, which could never be fit for a call.")
        if condition == "DownstreamMessageAffordableCondition" and has("min_size"):
            self._check_room(term, int(kinds.uint64(term.parameters["min_size"]) or "0"))
        self._check_waiting(term, condition, node)
        if self._takes_several(term):
            self.report.add(term.place, DIFFERS, f"{term} lets a tick take several messages. A "
                            f"call gets one; to get them together, write batch {{ max_size: "
                            f'{self._takes_several(term)} }} in node "{node.name}" and read '
                            "cc->Batch().")
        return known

    def _check_room(self, term, least):
        """Room that no queue has: never there in GXF, and here the graph is refused."""
        if least < 2:
            return
        transmitter = self.application.lookup(term.entity, term.parameters.get("transmitter"))
        for receiver in self._receivers().get(transmitter, ()):
            capacity = kinds.int32(receiver.parameters.get("capacity")) or "1"
            where = str(receiver)
            if sum(receiver in targets for targets in self._receivers().values()) > 1:
                capacity, where = "1", f"the queue where the streams of {receiver} meet"
            if int(capacity) < least:
                self.report.add(term.place_of("min_size"), NOT_MAPPED, f"{term}: its min_size "
                                f"{least} is more than the capacity {capacity} of {where}; the "
                                "graph is refused with it, as the node could never run.")

    def _check_waiting(self, term, condition, node):
        """More messages than ever wait, as receivers drop what is more: refused here."""
        receivers = self.ends(term, node) or node.ends(tables.RECEIVERS)
        if condition == "MessageAvailableCondition":
            name, needs = "min_size", [(receivers[:1], term.parameters.get("min_size"))]
        elif condition in tables.SUM_CONDITIONS and per_receiver(term):
            sizes = as_list(term.parameters.get("min_sizes"))
            if sizes and len(sizes) != len(receivers) and term.parameters.get("receivers") is None:
                self.report.add(term.place_of("min_sizes"), NOT_MAPPED, f"{term}: there are "
                                f"{len(receivers)} inputs and {len(sizes)} min_sizes; the graph "
                                "is refused with them.")
            name, needs = "min_sizes", [([r], size) for r, size in zip(receivers, sizes)]
        elif condition in tables.SUM_CONDITIONS:
            name = "min_sum" if term.parameters.get("min_size") is None else "min_size"
            needs = [(receivers, term.parameters.get(name))]
        else:
            return
        for ends, least in needs:
            room = sum(int(kinds.int32(end.parameters.get("capacity")) or "1") for end in ends)
            if ends and int(kinds.uint64(least) or "0") > room and all(
                    str(end.parameters.get("policy")) in ("0", "1") for end in ends):
                self.report.add(term.place_of(name), NOT_MAPPED, f"{term}: its {name} asks for "
                                f'{least} messages of {", ".join(map(str, ends))}, with room for '
                                f"{room}, and what is more is dropped; the graph is refused with "
                                "it, as the node could never run.")

    def _receivers(self):
        """{transmitter: those that it is connected to}"""
        if self._receivers_of is None:
            self._receivers_of = {}
            for connection in self.application.components({tables.CONNECTION}):
                source, target = (self.application.lookup(connection.entity,
                                                          connection.parameters.get(key))
                                  for key in ("source", "target"))
                if source is not None and target is not None:
                    self._receivers_of.setdefault(source, []).append(target)
        return self._receivers_of

    def _fitting_sum(self, term, known, node, has, leave_out):
        if per_receiver(term):
            for name in ("min_sum", "min_size"):
                if has(name):
                    leave_out(name, "means nothing where each receiver has its own in min_sizes.")
            known = {k: v for k, v in known.items() if k not in ("min_sum", "min_size")}
            if not has("min_sizes"):
                self._report_missing(term, "min_sizes, without which PerReceiver cannot be")
            elif has("receivers"):
                known = {**known, "min_sizes": self._sizes(term, node)}
            return known
        if has("min_sizes"):
            known = leave_out("min_sizes", "means nothing where all receivers are summed up.")
        if has("min_sum") and has("min_size"):
            leave_out("min_sum", "is hidden by min_size, as in GXF.")
            known = {k: v for k, v in known.items() if k != "min_sum"}
        elif not has("min_sum") and not has("min_size"):
            self._report_missing(term, "min_sum, without which SumOfAll cannot be")
        return known

    def _report_missing(self, term, what):
        self.report.add(term.place, NOT_MAPPED, f"{term} has no {what}.")

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


def per_receiver(term):
    """Each of its inputs is counted by itself."""
    return str(term.parameters.get("sampling_mode")) in ("PerReceiver", "PER_RECEIVER", "1")


def _shown(value):
    return ", ".join(str(item) for item in as_list(value))
