"""Cycles: headers that include each other, protos that import, .bzl files that load each other."""


def cycles(graph):
    """The cycles of a graph, node -> nodes: of each knot of nodes one, as a list that
    begins with its first node in the order of names."""
    found = []
    for knot in _knots(graph):
        start = min(knot)
        path = _way_back(graph, start, set(knot))
        if path:
            found.append(path)
    return sorted(found)


def _way_back(graph, start, within):
    """The shortest way from a node to itself, or None."""
    came_from, waiting = {}, [start]
    for here in waiting:
        for there in sorted(graph.get(here, ())):
            if there == start:
                path = [here]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if there in within and there not in came_from:
                came_from[there] = here
                waiting.append(there)
    return None


def _knots(graph):
    """The sets of nodes that lead to each other (Tarjan, 1972), without recursion."""
    number, low, open_nodes, is_open, knots = {}, {}, [], set(), []
    for root in sorted(graph):
        if root in number:
            continue
        calls = [(root, None)]
        while calls:
            node, below = calls.pop()
            if below is None:
                number[node] = low[node] = len(number)
                open_nodes.append(node)
                is_open.add(node)
                below = iter(sorted(graph.get(node, ())))
            for there in below:
                if there not in number:
                    calls += [(node, below), (there, None)]
                    break
                if there in is_open:
                    low[node] = min(low[node], low[there])
            else:
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == number[node]:
                    knot = open_nodes[open_nodes.index(node):]
                    del open_nodes[-len(knot):]
                    is_open.difference_update(knot)
                    knots.append(knot)
    return knots
