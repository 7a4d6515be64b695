"""Connections become streams: which node feeds which input.

1:1 and 1:m are a stream with its readers.  Of several transmitters of one
receiver, and of several nodes with one transmitter, the streams flow into one
input, which merges them; in front of an input that is one of several with a tag
a node does.
A connection that closes a loop is marked, since graphs ask for that.
"""
from gxf import tables
from gxf.nodes import Node
from gxf.report import DIFFERS, NOT_MAPPED
from gxf.text_proto import unique, word


def connect(application, nodes, report):
    """Gives the nodes their inputs and outputs, and adds those that merge."""
    _Streams(application, nodes, report).run()


class _Streams:
    def __init__(self, application, nodes, report):
        self.application = application
        self.nodes = nodes
        self.report = report
        self.names = set()
        self.owners = {}  # transmitter: its nodes
        self.stream_of = {}  # (node, transmitter): name
        self.sources = {}  # receiver: [transmitter]

    def run(self):
        self._read_connections()
        for node in self.nodes.list:
            for transmitter in node.ends(tables.TRANSMITTERS):
                name = self._name(transmitter)
                self.stream_of[node, transmitter] = name
                _name_port_of_whole(node, transmitter, name)
                self.owners.setdefault(transmitter, []).append(node)
                node.outputs.append((*node.port[transmitter], name))
        fed = {}  # receiver: its stream
        ordered = []
        for node in self.nodes.list:
            for receiver in node.ends(tables.RECEIVERS):
                if receiver not in fed:
                    fed[receiver] = self._feed(receiver)
                if not fed[receiver]:
                    del node.port[receiver]
            _close_gaps(node)
            for receiver in node.ends(tables.RECEIVERS):
                streams = fed[receiver]
                tag, index = node.port[receiver]
                if len(streams) > 1 and node.whole is None and _is_alone(node, receiver):
                    node.merged.append(receiver)
                    node.inputs += [(tag, i, stream) for i, stream in enumerate(streams)]
                else:
                    if len(streams) > 1:
                        streams = fed[receiver] = [self._merge(receiver, node, streams, ordered)]
                    node.inputs.append((tag, index, streams[0]))
                    _name_port_of_whole(node, receiver, streams[0])
            _check_router(node, self.report)
            _repeat_broadcast_input(node)
            ordered.append(node)
        self.nodes.list = ordered
        _mark_loops(self.nodes.list, self.report)

    def _name(self, end):
        return unique(word(f"{end.entity.name}_{end.name}").lower(), self.names)

    def _read_connections(self):
        for connection in self.application.components({tables.CONNECTION}):
            connection.done = True
            ends = []
            for key, types in (("source", tables.TRANSMITTERS), ("target", tables.RECEIVERS)):
                value = connection.take(key)
                end = self.application.lookup(connection.entity, value)
                if end is None or end.short not in types:
                    kind = "transmitter" if key == "source" else "receiver"
                    self.report.add(connection.place_of(key), NOT_MAPPED, f"{connection}: its "
                                    f'{key} "{value}" is no {kind} that has a counterpart.')
                else:
                    ends.append(end)
            if len(ends) == 2:
                known = self.sources.setdefault(ends[1], [])
                if ends[0] not in known:
                    known.append(ends[0])

    def _feed(self, receiver):
        """The streams that feed a receiver."""
        streams = [self.stream_of[owner, transmitter]
                   for transmitter in self.sources.get(receiver, ())
                   for owner in self.owners.get(transmitter, ())]
        if not streams:
            self.report.add(receiver.place, NOT_MAPPED, f"{receiver}: nothing feeds it, so the "
                            "node is without this input.")
        if len(streams) > 1:
            self.report.add(receiver.place, DIFFERS, f"{receiver} has {len(streams)} transmitters, "
                            "whose messages it gets in the order in which they come. One whose "
                            "timestamp is not above that of the one before gets the next possible "
                            "one.")
        return streams

    def _merge(self, receiver, node, streams, ordered):
        stream = self._name(receiver)
        name = unique(f"{node.name}_{receiver.name}_merge", self.nodes.names)
        merge = Node(name, receiver.entity, None, tables.MERGE)
        merge.inputs = [("", i, s) for i, s in enumerate(streams)]
        merge.outputs = [("", 0, stream)]
        ordered.append(merge)
        return stream


def _close_gaps(node):
    """The indexes of a tag count from 0, also where an input is left out."""
    counts = {}
    for receiver in sorted(node.ends(tables.RECEIVERS), key=lambda end: node.port[end][1] or 0):
        tag, index = node.port[receiver]
        if index is not None:
            node.port[receiver] = (tag, counts.get(tag, 0))
            counts[tag] = counts.get(tag, 0) + 1


def _check_router(node, report):
    """Numbers of ports with which the graph would be refused."""
    inputs, outputs = len(node.inputs), len(node.outputs)
    needs = {
        tables.BROADCAST: ("one input and an output", inputs == 1 and outputs > 0),
        tables.GATHER: ("an input and one output", inputs > 0 and outputs == 1),
        tables.SYNCHRONIZATION: ("as many outputs as inputs", inputs == outputs > 0),
    }.get(node.codelet.short)
    if needs is not None and not needs[1]:
        report.add(node.codelet.place, NOT_MAPPED, f"{node.codelet} needs {needs[0]}, but has "
                   f"{inputs} inputs and {outputs} outputs; the graph is refused with it.")


def _name_port_of_whole(node, end, stream):
    """A fused node's ports have the names of the streams; what stays inside is no input."""
    whole = node.whole
    if whole is None:
        return
    made = (name for part in whole.parts for _, _, name in part.outputs)
    if end.short in tables.TRANSMITTERS or stream not in made:
        whole.port[end] = (stream.upper(), None)


def _is_alone(node, receiver):
    """It is the only one with its tag, so all streams of that tag may flow into it."""
    tag, index = node.port[receiver]
    return tag and index is None and all(
        end is receiver or node.port[end][0] != tag for end in node.ends(tables.RECEIVERS))


def _repeat_broadcast_input(node):
    """What passes a stream on to several has it once for each of them."""
    if (node.codelet.short == tables.BROADCAST and len(node.inputs) == 1
            and node.calculator == "PassThroughCalculator"):
        node.inputs = [("", i, node.inputs[0][2]) for i in range(len(node.outputs))]


def _mark_loops(nodes, report):
    """Depth first, from the sources on: an edge back to where we are closes a loop.

    What is fused is one place; nothing in it goes back.
    """
    readers = {}
    places = {}  # node of the graph: those in it
    for node in nodes:
        places.setdefault(node.top, []).append(node)
        for tag, index, stream in node.inputs:
            readers.setdefault(stream, []).append((node, (tag, index)))
    state = {}  # 1: on the way here, 2: done
    for start in sorted(places, key=lambda n: any(part.inputs for part in places[n])):
        if start in state:
            continue
        state[start] = 1
        stack = [(start, _edges(start, places, readers))]
        while stack:
            place, edges = stack[-1]
            for reader, port in edges:
                if state.get(reader.top) == 1:
                    reader.back_edges.append(port)
                    _report_loop(place, reader.top, report)
                elif reader.top not in state:
                    state[reader.top] = 1
                    stack.append((reader.top, _edges(reader.top, places, readers)))
                    break
            else:
                state[place] = 2
                stack.pop()


def _edges(place, places, readers):
    return iter([edge for node in places[place] for _, _, stream in node.outputs
                 for edge in readers.get(stream, ())
                 if not place.parts or edge[0].top is not place])


def _report_loop(node, reader, report):
    report.add(reader.entity.place, DIFFERS, f'a connection from node "{node.name}" to node '
               f'"{reader.name}" closes a loop, and is a back_edge. A node that waits for all its '
               "inputs does not start before the loop carries something: send a first message, or "
               "give the node an ImmediateInputStreamHandler.")
