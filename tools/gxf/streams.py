"""Connections become streams: which node feeds which input.

1:1 and 1:m are a stream with its readers.  Of several transmitters of one
receiver, and of several nodes with one transmitter, a node merges the streams.
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
                    fed[receiver] = self._feed(receiver, node, ordered)
                if fed[receiver] is None:
                    del node.port[receiver]
                else:
                    node.inputs.append((*node.port[receiver], fed[receiver]))
                    _name_port_of_whole(node, receiver, fed[receiver])
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

    def _feed(self, receiver, node, ordered):
        """The stream that feeds a receiver of `node`, or None."""
        streams = [self.stream_of[owner, transmitter]
                   for transmitter in self.sources.get(receiver, ())
                   for owner in self.owners.get(transmitter, ())]
        if not streams:
            self.report.add(receiver.place, NOT_MAPPED, f"{receiver}: nothing feeds it, so the "
                            "node is without this input.")
            return None
        if len(streams) == 1:
            return streams[0]
        return self._merge(receiver, node, streams, ordered)

    def _merge(self, receiver, node, streams, ordered):
        stream = self._name(receiver)
        name = unique(f"{node.name}_{receiver.name}_merge", self.nodes.names)
        merge = Node(name, receiver.entity, None, tables.MERGE)
        merge.inputs = [("", i, s) for i, s in enumerate(streams)]
        merge.outputs = [("", 0, stream)]
        ordered.append(merge)
        self.report.add(receiver.place, DIFFERS, f"{receiver} has {len(streams)} transmitters, "
                        f'which the node "{merge.name}" merges. Messages pass in the order in '
                        "which they come; one whose timestamp is not above that of the one before "
                        "is dropped and counted. Give the transmitters timestamps of one clock.")
        return stream


def _name_port_of_whole(node, end, stream):
    """A fused node's ports have the names of the streams; what stays inside is no input."""
    whole = node.whole
    if whole is None:
        return
    made = (name for part in whole.parts for _, _, name in part.outputs)
    if end.short in tables.TRANSMITTERS or stream not in made:
        whole.port[end] = (stream.upper(), None)


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
