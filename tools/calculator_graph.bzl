"""Bazel rules that turn a graph file into a program, a binary graph and a test.

    load("//tools:calculator_graph.bzl", "calculator_graph")

    calculator_graph(
        name = "hello_graph",
        graph = "hello_graph.pbtxt",
        deps = [":hello_calculators"],
    )

gives

    bazel run  :hello_graph               the graph, as a program
    bazel build :hello_graph_binary_graph hello_graph.binarypb
    bazel test :hello_graph_test          the graph compiles to a plan

`deps` are the libraries (alwayslink) that register the calculators and
subgraphs that the graph names.
"""

load("//tools/build_rules:cc.bzl", "cc_binary", "cc_library")
load("//tools:devices_if_used.bzl", "devices_if_used")
load("//tools:option_comments.bzl", "option_comments")

def _parts_of_program(name, deps, kwargs):
    """What run_graph's main() needs besides `deps`: labels."""
    settings = {
        key: kwargs[key]
        for key in ("testonly", "tags", "target_compatible_with")
        if key in kwargs
    }
    devices_if_used(
        name = name + "_devices",
        deps = deps,
        visibility = ["//visibility:private"],
        **settings
    )
    return [name + "_devices", "//tools:run_graph_main"], settings

def calculator_graph(
        name,
        graph,
        deps = [],
        data = [],
        size = "small",
        lint = False,
        visibility = None,
        **kwargs):
    """Makes a graph runnable, binary and tested.

    Args:
      name: of the program; NAME_binary_graph and NAME_test come with it.
      graph: the graph file, Protobuf text.
      deps: libraries with the calculators, subgraphs and options it uses.
      data: files that the graph reads when it runs.
      size: of the test.
      lint: whether the test also fails if run_graph --check --lint finds something.
      visibility: of all three.
      **kwargs: passed to the program's cc_binary.
    """
    parts, settings = _parts_of_program(name, deps, kwargs)
    option_comments(
        name = name + "_comments",
        deps = deps,
        visibility = ["//visibility:private"],
        **settings
    )
    cc_binary(
        name = name,
        args = ["--graph=$(location %s)" % graph],
        data = data + [graph],
        deps = deps + parts + [name + "_comments"],
        visibility = visibility,
        **kwargs
    )
    binary_graph(
        name = name + "_binary_graph",
        graph = graph,
        out = name + ".binarypb",
        program = ":" + name,
        visibility = visibility,
    )
    graph_test(
        name = name + "_test",
        size = size,
        graph = graph,
        program = ":" + name,
        data = data,
        lint = lint,
        visibility = visibility,
    )

def graph_test(name, graph, program, data = [], size = "small", lint = False, visibility = None):
    """A test that a graph compiles to a plan.

    Args:
      name: of the test.
      graph: the graph file, text or binary.
      program: a program with run_graph's main() and the graph's calculators:
        //tools:run_graph, or one made by calculator_graph().
      data: files that the check reads.
      size: of the test.
      lint: whether it also fails if run_graph --check --lint finds something.
      visibility: of the test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = ["//tools:check_graph.sh"],
        args = ["$(location %s)" % program, "$(location %s)" % graph] +
               (["--lint"] if lint else []),
        data = data + [graph, program],
        visibility = visibility,
    )

def binary_graph(
        name,
        graph,
        out = None,
        deps = [],
        program = None,
        testonly = None,
        visibility = None,
        **kwargs):
    """Writes a text graph in binary form, for programs that embed or ship it.

    Args:
      name: of the target.
      graph: the graph file, Protobuf text; a template is expanded with its
        defaults.
      out: the output's name; NAME.binarypb if absent.
      deps: libraries with the option messages that the graph uses.
      program: a calculator_graph() program with those libraries, instead of deps.
      testonly: of the target.
      visibility: of the target.
      **kwargs: passed to the genrule.
    """
    if not program:
        program = ":" + name + "_writer"
        settings = {"testonly": testonly} if testonly else {}
        parts, _ = _parts_of_program(name + "_writer", deps, settings)
        cc_binary(
            name = name + "_writer",
            testonly = testonly,
            deps = deps + parts,
        )
    native.genrule(
        name = name,
        # The program is an input, not a tool: a tool would build the whole
        # framework a second time, for the machine that builds.
        srcs = [graph, program],
        outs = [out or name + ".binarypb"],
        cmd = "$(location %s) --graph=$(location %s) --write_binary=$@" % (program, graph),
        testonly = testonly,
        visibility = visibility,
        **kwargs
    )

def simple_subgraph(
        name,
        register_as,
        graph,
        deps = [],
        testonly = None,
        visibility = None,
        **kwargs):
    """Registers a graph file as a subgraph, without any C++.

    The text is embedded, so errors inside it name the file and the line. A
    template takes its arguments from the node that names it.

    Args:
      name: of the library to put into the deps of graphs that use it.
      register_as: the name that graphs use, e.g. "FaceCropSubgraph".
      graph: the graph file, Protobuf text.
      deps: libraries with the calculators, subgraphs and options it uses.
      testonly: of the library.
      visibility: of the library.
      **kwargs: passed to the cc_library.
    """
    native.genrule(
        name = name + "_source",
        testonly = testonly,
        srcs = [graph],
        outs = [name + "_subgraph.cc"],
        cmd = "python3 $(location //tools:embed_subgraph.py) %s $< > $@" % register_as,
        tools = ["//tools:embed_subgraph.py"],
    )
    cc_library(
        name = name,
        srcs = [name + "_subgraph.cc"],
        alwayslink = True,
        testonly = testonly,
        deps = deps + ["//framework:subgraph"],
        visibility = visibility,
        **kwargs
    )
