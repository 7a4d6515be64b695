"""The proto rules of ported BUILD files, by the names that the port gives them.

    load("//framework/port:build_config.bzl", "syncline_proto_library")

    syncline_proto_library(
        name = "foo_calculator_proto",
        srcs = ["foo_calculator.proto"],
        deps = ["//framework:calculator_options_proto"],
    )

makes foo_calculator_proto and foo_calculator_cc_proto.  New code writes
proto_library and cc_proto_library.
"""

def syncline_proto_library(
        name,
        srcs,
        deps = [],
        exports = None,
        visibility = None,
        testonly = None,
        def_cc_proto = True,
        **kwargs):
    """A proto_library with its cc_proto_library.

    Args:
      name: ends in "_proto"; the C++ library ends in "_cc_proto".
      srcs: the .proto files.
      deps: other proto_library targets.
      exports: those of deps that come along.
      visibility: of both.
      testonly: of both.
      def_cc_proto: whether the C++ library is wanted.
      **kwargs: what other languages and systems take; not needed here.
    """
    if not name.endswith("_proto"):
        fail("syncline_proto_library(name = \"%s\"): the name must end in _proto" % name)
    native.proto_library(
        name = name,
        srcs = srcs,
        exports = exports,
        testonly = testonly,
        visibility = visibility,
        deps = deps,
    )
    if def_cc_proto:
        native.cc_proto_library(
            name = name[:-len("proto")] + "cc_proto",
            testonly = testonly,
            visibility = visibility,
            deps = [":" + name],
        )

def syncline_cc_proto_library(
        name,
        srcs = [],
        deps = [],
        cc_deps = [],
        visibility = None,
        testonly = None,
        **kwargs):
    """A cc_proto_library, with the arguments that ported BUILD files give.

    Args:
      name: of the C++ library.
      srcs: the .proto files; the proto_library in deps knows them.
      deps: the proto_library.
      cc_deps: C++ libraries of imported protos; the proto_library knows them.
      visibility: of the library.
      testonly: of the library.
      **kwargs: what other systems take; not needed here.
    """
    native.cc_proto_library(
        name = name,
        testonly = testonly,
        visibility = visibility,
        deps = deps,
    )
