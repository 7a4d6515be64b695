"""The graph rules of ported BUILD files, by the names that the port gives them.

New code loads //tools:calculator_graph.bzl, which these stand on.
"""

load("//tools:calculator_graph.bzl", "binary_graph", "simple_subgraph")

def syncline_simple_subgraph(
        name,
        register_as,
        graph,
        deps = [],
        visibility = None,
        **kwargs):
    """A text graph, registered as a subgraph: a library for the deps of its users.

    Args:
      name: of the library.
      register_as: the name that graphs use.
      graph: the graph file, Protobuf text.
      deps: libraries of the calculators and subgraphs that it names.
      visibility: of the library.
      **kwargs: what other systems take; not needed here.
    """
    simple_subgraph(
        name = name,
        register_as = register_as,
        graph = graph,
        deps = deps,
        visibility = visibility,
    )

def syncline_binary_graph(
        name,
        graph = None,
        output_name = None,
        deps = [],
        visibility = None,
        **kwargs):
    """A text graph in binary form.

    Args:
      name: of the target.
      graph: the graph file, Protobuf text.
      output_name: the file it makes.
      deps: libraries of the calculators, subgraphs and options that it names.
      visibility: of the target.
      **kwargs: what other systems take; not needed here.
    """
    binary_graph(
        name = name,
        graph = graph,
        out = output_name,
        deps = deps,
        visibility = visibility,
    )
