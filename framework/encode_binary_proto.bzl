"""Messages from text to binary form, by the rule that ported BUILD files use.

    load("//framework:encode_binary_proto.bzl", "encode_binary_proto")

    encode_binary_proto(
        name = "my_settings",
        input = "my_settings.pbtxt",
        message_type = "my.Settings",
        deps = [":settings_proto"],
    )

Graphs have rules of their own, which know the names that MediaPipe's graphs use:
binary_graph in //tools:calculator_graph.bzl.
"""

def _encode_impl(ctx):
    output = ctx.outputs.output
    if not output:
        output = ctx.actions.declare_file(ctx.label.name + ".binarypb")
    descriptors = depset(transitive = [
        dep[ProtoInfo].transitive_descriptor_sets
        for dep in ctx.attr.deps
    ])
    ctx.actions.run_shell(
        inputs = depset([ctx.file.input], transitive = [descriptors]),
        outputs = [output],
        tools = [ctx.executable._protoc],
        command = "%s --encode=%s --descriptor_set_in=%s < %s > %s" % (
            ctx.executable._protoc.path,
            ctx.attr.message_type,
            ":".join([file.path for file in descriptors.to_list()]),
            ctx.file.input.path,
            output.path,
        ),
        mnemonic = "EncodeBinaryProto",
    )
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles([output]))]

encode_binary_proto = rule(
    implementation = _encode_impl,
    doc = "Writes a message in binary form; NAME.binarypb, or `output`.",
    attrs = {
        "input": attr.label(
            allow_single_file = True,
            doc = "The message as Protobuf text.",
            mandatory = True,
        ),
        "message_type": attr.string(
            doc = "Its type, with the package.",
            mandatory = True,
        ),
        "deps": attr.label_list(
            doc = "The proto_library of the type, and those of its extensions.",
            mandatory = True,
            providers = [ProtoInfo],
        ),
        "output": attr.output(doc = "The output's name."),
        "_protoc": attr.label(
            default = "@com_google_protobuf//:protoc",
            cfg = "exec",
            executable = True,
        ),
    },
)
