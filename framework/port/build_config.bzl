"""The proto rules of ported BUILD files, by the names that the port gives them.

    load("//framework/port:build_config.bzl", "syncline_proto_library")

    syncline_proto_library(
        name = "my_calculator_proto",
        srcs = ["my_calculator.proto"],
        deps = ["//framework:calculator_options_proto"],
    )

makes :my_calculator_proto, :my_calculator_cc_proto, and
:my_calculator_options_lib, which links the messages into a program that only
reads them from graph files.  New code writes proto_library and cc_proto_library.
"""

load("//framework/tool:syncline_graph.bzl", "syncline_options_library")

def _renamed(name, suffix):
    """`a_proto` with another suffix; a name without "_proto" gets it behind."""
    if name.endswith("_proto"):
        name = name[:-len("_proto")]
    return name + suffix

def syncline_proto_library(
        name,
        srcs,
        deps = [],
        exports = [],
        visibility = None,
        testonly = None,
        def_proto = True,
        def_cc_proto = True,
        def_options_lib = True,
        **kwargs):
    """A proto_library with what belongs to it.

    Args:
      name: of the proto_library; ends in "_proto".
      srcs: the .proto files.
      deps: proto libraries.
      exports: those of deps that come along.
      visibility: of all targets.
      testonly: of all targets.
      def_proto: whether the proto_library itself is made.
      def_cc_proto: whether its cc_proto_library is.
      def_options_lib: whether the library is that links its messages.
      **kwargs: ignored: further languages.
    """
    if def_proto:
        native.proto_library(
            name = name,
            srcs = srcs,
            deps = deps,
            exports = exports,
            testonly = testonly,
            visibility = visibility,
        )
    if def_cc_proto:
        native.cc_proto_library(
            name = _renamed(name, "_cc_proto"),
            deps = [":" + name],
            testonly = testonly,
            visibility = visibility,
        )
    if def_options_lib:
        # Built only if a target names it.
        syncline_options_library(
            name = _renamed(name, "_options_lib"),
            proto_lib = ":" + name,
            tags = ["manual"],
            testonly = testonly,
            visibility = visibility,
        )

def syncline_cc_proto_library(
        name,
        srcs = [],
        deps = [],
        cc_deps = [],
        visibility = None,
        testonly = None,
        **kwargs):
    """The C++ code of a proto_library.

    Args:
      name: of the cc_proto_library.
      srcs: ignored: they are those of the proto_library.
      deps: the proto_library.
      cc_deps: ignored: they follow from its deps.
      visibility: of the target.
      testonly: of the target.
      **kwargs: ignored.
    """
    native.cc_proto_library(
        name = name,
        deps = deps,
        testonly = testonly,
        visibility = visibility,
    )

def syncline_py_proto_library(
        name,
        srcs = [],
        proto_deps = [],
        visibility = None,
        testonly = None,
        **kwargs):
    """Stands in for Python code of protos, which is not made.

    Args:
      name: of a filegroup with the .proto files.
      srcs: the .proto files.
      proto_deps: ignored.
      visibility: of the target.
      testonly: of the target.
      **kwargs: ignored.
    """
    native.filegroup(
        name = name,
        srcs = srcs,
        testonly = testonly,
        visibility = visibility,
    )
