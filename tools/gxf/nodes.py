"""Which nodes there will be: of each entity with codelets, and where streams meet.

A port is a pair (tag, index); tag "" is a port without one.  Ports are called
after the parameters of the codelet that name them, since those are the same
wherever the codelet is used; after the transmitter or receiver itself where no
parameter does.
"""
from gxf import tables
from gxf.kinds import as_list
from gxf.report import DIFFERS, NOT_MAPPED, NOTE
from gxf.text_proto import unique, word

ENDS = tables.RECEIVERS | tables.TRANSMITTERS


class Node:
    """A node to be.  Without a codelet it merges streams, with parts they are fused in it."""

    def __init__(self, name, entity, codelet, calculator):
        self.name = name
        self.entity = entity
        self.codelet = codelet
        self.calculator = calculator
        self.port = {}  # receiver or transmitter: (tag, index)
        self.inputs = []  # [(tag, index, stream)]
        self.outputs = []
        self.back_edges = []  # [(tag, index)]
        self.merged = []  # receivers into which several streams flow
        self.parts = []
        self.whole = None  # the node that it is a part of

    @property
    def top(self):
        """The node in the graph."""
        return self.whole or self

    def ends(self, types):
        return [end for end in self.port if end.short in types]

    def has(self, end):
        return end in self.port


def port_text(port):
    """TAG, TAG:index or :index."""
    tag, index = port
    if not tag:
        return f":{index}"
    return tag if index is None else f"{tag}:{index}"


def stream_text(port, stream):
    """What a node says of a stream; one without tag has the position that it stands at."""
    tag = port[0]
    return f"{port_text(port)}:{stream}" if tag else stream


class Nodes:
    """All nodes of an application, in the order of its entities."""

    def __init__(self, application, calculators, report):
        self.application = application
        self.calculators = calculators
        self.report = report
        self.list = []
        self.names = set()
        self._noted = set()  # codelet types
        self._referenced = self._find_referenced()
        for entity in application.entities.values():
            self._add_entity(entity)

    # --- who is a codelet

    def _find_referenced(self):
        """Components that parameters of others name."""
        found = set()
        for entity in self.application.entities.values():
            for component in entity.components:
                for value in component.parameters.values():
                    for item in as_list(value):
                        other = self.application.lookup(entity, item)
                        if other is not None and other is not component:
                            found.add(other)
        return found

    def _names_ends(self, component):
        return any(end is not None and end.short in ENDS
                   for value in component.parameters.values() for item in as_list(value)
                   for end in [self.application.lookup(component.entity, item)])

    def _is_codelet(self, component):
        if component.type in self.calculators:
            return self.calculators[component.type] is not None
        known = {*tables.TERMS, *tables.CLOCKS, *tables.SCHEDULERS, *tables.ALLOCATORS, *ENDS,
                 *tables.CONTROLLERS, tables.CONNECTION, tables.SUBGRAPH, tables.THREAD_POOL,
                 tables.CPU_THREAD, tables.STREAM_POOL, *tables.COMBINERS}
        if component.short in known or tables.reason(component.type) is not None:
            return False
        return (component not in self._referenced or component.short in tables.BEHAVIORS
                or self._names_ends(component))

    # --- nodes of entities

    def _add_entity(self, entity):
        for component in entity.components:
            if component.type in self.calculators and self.calculators[component.type] is None:
                component.done = True
                self.report.add(component.place, NOTE, f"{component} is left out, as asked for.")
        codelets = [c for c in entity.components if self._is_codelet(c)]
        if not codelets:
            return
        nodes = [Node(None, entity, codelet, self._calculator(codelet)) for codelet in codelets]
        self._name_ports(entity, nodes)
        base = entity.name.replace("/", "__")
        if len(nodes) == 1:
            nodes[0].name = unique(base, self.names)
        else:
            self._name_several(entity, nodes, base)
        self.list += nodes

    def _name_several(self, entity, nodes, base):
        """Fused, where that can be."""
        place = nodes[1].codelet.place
        why_not = self._why_not_fused(nodes)
        if why_not is None:
            whole = Node(unique(base, self.names), entity, nodes[0].codelet, None)
            whole.parts = nodes
            names = set()
            for i, node in enumerate(nodes):
                node.whole = whole
                node.name = unique(node.codelet.name or str(i + 1), names)
            self.report.add(place, DIFFERS, f'entity "{entity.name}" has {len(nodes)} codelets, '
                            f'which are fused in the node "{whole.name}": they run in this order, '
                            "as one task. GXF ticks each of them every time; here one that has "
                            "inputs is called when it has a message.")
            return
        for i, node in enumerate(nodes):
            node.name = unique(f"{base}_{node.codelet.name or i + 1}", self.names)
        self.report.add(place, DIFFERS, f'entity "{entity.name}" has {len(nodes)} codelets, which '
                        "are a node each: " + ", ".join(f'"{n.name}"' for n in nodes)
                        + f". They cannot be fused, since {why_not}. GXF ticks them in this order, "
                        "one after the other; here each runs when its own inputs and conditions "
                        "let it.")

    def _why_not_fused(self, nodes):
        for node in nodes:
            if node.codelet.short in {*tables.ROUTERS, *tables.BEHAVIORS}:
                return f"{node.codelet} is a node of its own here"
        # Transmitter or receiver: the places of its nodes.
        owners = {}
        for i, node in enumerate(nodes):
            for end in node.port:
                owners.setdefault(end, []).append(i)
        for end, places in owners.items():
            if end.short in tables.TRANSMITTERS and len(places) > 1:
                return f"{end} belongs to several of them"
        sources = {}  # receiver: transmitters
        for connection in self.application.components({tables.CONNECTION}):
            source, target = (self.application.lookup(connection.entity,
                                                      connection.parameters.get(key))
                              for key in ("source", "target"))
            if target in owners:
                sources.setdefault(target, set()).add(source)
        for receiver, transmitters in sources.items():
            for transmitter in transmitters & owners.keys():
                if len(transmitters) > 1:
                    return f"{receiver} has messages of one of them and of others"
                if owners[transmitter][0] >= owners[receiver][0]:
                    return f"{receiver} has messages of one that comes later"
        return None

    def top(self):
        """The nodes of the graph, in order."""
        return list(dict.fromkeys(node.top for node in self.list))

    def _calculator(self, codelet):
        codelet.done = True
        if codelet.type in self.calculators:
            return self.calculators[codelet.type]
        if codelet.short == tables.BROADCAST:
            return self._broadcast(codelet)
        if codelet.short == tables.GATHER:
            return tables.MERGE
        if codelet.short == tables.SYNCHRONIZATION:
            return "SynchronizationCalculator"
        if codelet.short == tables.TENSOR_COPIER:
            return "TensorCopierCalculator"
        if codelet.short in tables.BEHAVIORS:
            return codelet.short + "Calculator"
        name = tables.calculator_name(codelet.type)
        if codelet.short in tables.CODELET_ADVICE:
            self.report.add(codelet.place, NOT_MAPPED, f"{codelet} is not here: "
                            f"{tables.CODELET_ADVICE[codelet.short]}. The node stays.")
        elif codelet.type not in self._noted:
            self._noted.add(codelet.type)
            self.report.add(codelet.place, NOTE, f'{codelet.type} is the calculator "{name}"; '
                            "--types names another.")
        return name

    def _broadcast(self, codelet):
        mode = codelet.take("mode")
        if str(mode) in ("1", "RoundRobin"):
            return "RoundRobinDemuxCalculator"
        if mode is not None and str(mode) not in ("0", "Broadcast"):
            self.report.add(codelet.place_of("mode"), NOT_MAPPED,
                            f'{codelet}: its mode "{mode}" means nothing here.')
        return "PassThroughCalculator"

    def _name_ports(self, entity, nodes):
        for node in nodes:
            self._name_by_parameters(node)
        for end in entity.of(ENDS):
            owners = [n for n in nodes if n.has(end)]
            if not owners:
                nodes[0].port[end] = self._own_port(nodes[0], end)
            elif len(owners) > 1:
                self.report.add(end.place, DIFFERS, f"{end} belongs to several nodes: "
                                + ("each of them gets every message." if end.short in
                                   tables.RECEIVERS else "what they send is merged."))

    def _name_by_parameters(self, node):
        for name, value in node.codelet.parameters.items():
            ends = [self.application.lookup(node.entity, item) for item in as_list(value)]
            if not ends or not all(e is not None and e.short in ENDS and e.entity is node.entity
                                   for e in ends):
                continue
            node.codelet.used.add(name)
            if node.codelet.short in (tables.BROADCAST, tables.GATHER):
                continue
            # By position: inputs and outputs are pairs.
            is_router = node.codelet.short in (tables.SYNCHRONIZATION, tables.TENSOR_COPIER)
            tag = "" if is_router else word(name).upper()
            for i, end in enumerate(ends):
                port = (tag, i if isinstance(value, list) or is_router else None)
                if not node.has(end) and port not in self._taken(node, end):
                    node.port[end] = port

    @staticmethod
    def _taken(node, end):
        """Ports on the side of `end`."""
        side = tables.RECEIVERS if end.short in tables.RECEIVERS else tables.TRANSMITTERS
        return [node.port[e] for e in node.ends(side)]

    def _own_port(self, node, end):
        taken = self._taken(node, end)
        if node.codelet.short in tables.ROUTERS:
            demux = node.calculator == "RoundRobinDemuxCalculator"
            if demux and end.short in tables.TRANSMITTERS:
                return "OUTPUT", len(taken)
            return "", len(taken)
        tags = {tag for tag, _ in taken}
        return unique(word(end.name).upper(), tags), None
