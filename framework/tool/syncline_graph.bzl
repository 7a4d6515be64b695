"""The graph rules of ported BUILD files, by the names that the port gives them.

New code loads //tools:calculator_graph.bzl, which these stand on.

    load("//framework/tool:syncline_graph.bzl", "syncline_simple_subgraph")

    syncline_simple_subgraph(
        name = "face_crop",
        graph = "face_crop.pbtxt",
        register_as = "FaceCropSubgraph",
        deps = [...],
    )
"""

load("//tools/build_rules:cc.bzl", "cc_library")
load("//tools:calculator_graph.bzl", "binary_graph", "simple_subgraph")

def syncline_binary_graph(
        name,
        graph = None,
        output_name = None,
        deps = [],
        testonly = None,
        visibility = None,
        **kwargs):
    """Writes a text graph in binary form.

    Args:
      name: of the target.
      graph: the graph file, Protobuf text; a template is expanded with its
        defaults.
      output_name: of the file; NAME.binarypb if absent.
      deps: libraries with the options messages that the graph uses.
      testonly: of the target.
      visibility: of the target.
      **kwargs: what other systems take; not needed here.
    """
    if not graph:
        fail("syncline_binary_graph(name = \"%s\"): give the graph file" % name)
    binary_graph(
        name = name,
        graph = graph,
        out = output_name,
        deps = deps,
        testonly = testonly,
        visibility = visibility,
    )

def syncline_simple_subgraph(
        name,
        register_as,
        graph,
        deps = [],
        testonly = None,
        visibility = None,
        **kwargs):
    """Registers a graph file, which may be a template, as a subgraph.

    Args:
      name: of the library to put into the deps of graphs that use it.
      register_as: the name that graphs use.
      graph: the graph file, Protobuf text.
      deps: libraries with the calculators, subgraphs and options it uses.
      testonly: of the library.
      visibility: of the library.
      **kwargs: what other systems take; not needed here.
    """
    simple_subgraph(
        name = name,
        register_as = register_as,
        graph = graph,
        deps = deps,
        testonly = testonly,
        visibility = visibility,
    )

def syncline_reexport_library(name, actual, **kwargs):
    """A second name for a library, or one name for several, with other visibility.

    Args:
      name: the second name.
      actual: the library, or a list of libraries.
      **kwargs: passed on to the cc_library.
    """
    cc_library(
        name = name,
        deps = [actual] if type(actual) == "string" else actual,
        **kwargs
    )

def syncline_options_library(
        name,
        proto_lib,
        deps = [],
        tags = None,
        testonly = None,
        visibility = None,
        **kwargs):
    """Links the messages of a proto_library, so that graphs may name them.

    A program that only reads such options from text has no other reason to link
    them.

    Args:
      name: of the library.
      proto_lib: the proto_library; its .proto files are in this package.
      deps: further libraries.
      tags: of all that is made.
      testonly: of the library.
      visibility: of the library.
      **kwargs: what other systems take; not needed here.
    """
    native.cc_proto_library(
        name = name + "_cc_proto",
        deps = [proto_lib],
        tags = tags,
        testonly = testonly,
    )
    native.genrule(
        name = name + "_source",
        srcs = [proto_lib],
        outs = [name + ".cc"],
        cmd = "python3 $(location //tools:link_messages.py) $(SRCS) > $@",
        tags = tags,
        testonly = testonly,
        tools = ["//tools:link_messages.py"],
    )
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        alwayslink = True,
        tags = tags,
        testonly = testonly,
        visibility = visibility,
        deps = deps + [
            ":" + name + "_cc_proto",
            "@com_google_protobuf//:protobuf",
        ],
    )

def data_as_c_string(name, srcs, outs = None, **kwargs):
    """Turns a file into a C++ string literal, for an #include after "=".

    Args:
      name: of the target, and of the output if outs is absent.
      srcs: one file.
      outs: the output's name, in a list.
      **kwargs: passed on to the genrule.
    """
    if len(srcs) != 1:
        fail("data_as_c_string(name = \"%s\") takes one file in srcs" % name)
    native.genrule(
        name = name,
        srcs = srcs,
        outs = outs or [name],
        cmd = "python3 $(location //tools:embed_subgraph.py) --literal $< > $@",
        tools = ["//tools:embed_subgraph.py"],
        **kwargs
    )
