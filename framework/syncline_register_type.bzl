"""Names for packet types, by the rule that ported BUILD files use.

    load("//framework:syncline_register_type.bzl", "syncline_register_type")

    syncline_register_type(
        base_name = "detection",
        include_headers = ["framework/formats/detection.pb.h"],
        types = ["::syncline::Detection", "::std::vector<::syncline::Detection>"],
        deps = [":detection_cc_proto"],
    )

makes :detection_registration.  New code writes SYNCLINE_REGISTER_TYPE.
"""

load("//tools/build_rules:cc.bzl", "cc_library")

def _registration(include_headers, types):
    lines = [
        "#include \"framework/packet/proto_vector_bytes.h\"",
        "#include \"framework/type_map.h\"",
    ]
    lines += ["#include \"%s\"" % header for header in include_headers]
    lines.append("namespace {")
    for i, type in enumerate(types):
        # The macro gets an alias, since a comma in the type's name would end
        # its argument.
        lines.append("using Type%d = %s;" % (i, type))
        lines.append("SYNCLINE_REGISTER_TYPE_WITH_PROXY(Type%d, \"%s\", ::syncline::ProtoVectorWriter<Type%d>(), ::syncline::ProtoVectorReader<Type%d>());" % (i, type, i, i))
    lines.append("}  // namespace")
    return "\n".join(lines)

def syncline_register_type(
        base_name,
        include_headers,
        types,
        deps = [],
        testonly = None,
        visibility = ["//visibility:public"],
        **kwargs):
    """A library that registers the names of types.

    Args:
      base_name: the library is called base_name + "_registration".
      include_headers: headers of the types.
      types: C++ types with all their namespaces, which are also their names.
      deps: libraries of the headers.
      testonly: of the library.
      visibility: of the library.
      **kwargs: what other systems take; not needed here.
    """
    name = base_name + "_registration"
    native.genrule(
        name = name + "_source",
        testonly = testonly,
        outs = [name + ".cc"],
        cmd = "cat > $@ <<'END_OF_FILE'\n%s\nEND_OF_FILE" %
              _registration(include_headers, types),
    )
    cc_library(
        name = name,
        testonly = testonly,
        srcs = [name + ".cc"],
        alwayslink = True,
        visibility = visibility,
        deps = deps + [
            "//framework:type_map",
            "//framework/packet:packet_bytes",
        ],
    )
