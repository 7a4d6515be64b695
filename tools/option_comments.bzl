"""option_comments(): the comments of .proto files, for run_graph --describe.

Generated C++ has the fields of a message but not what is written above them in
its .proto file. This rule finds the .proto files behind some libraries and
writes a C++ file that gives their comments to tools/option_comments.h.
"""

load("//tools/build_rules:cc.bzl", "cc_library")

_Protos = provider("The .proto files of this workspace behind a target.", fields = ["files"])

def _collect_impl(target, ctx):
    files = []
    if ProtoInfo in target:
        files.append(target[ProtoInfo].transitive_sources)
    for dep in getattr(ctx.rule.attr, "deps", []):
        if _Protos in dep:
            files.append(dep[_Protos].files)
    return [_Protos(files = depset(transitive = files))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps", "actual"],
)

def _option_comments_impl(ctx):
    protos = depset(transitive = [dep[_Protos].files for dep in ctx.attr.deps])

    # Those of Protobuf itself are known to its compiler.
    own = [
        file
        for file in protos.to_list()
        if file.is_source and not file.path.startswith("external/")
    ]
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    comments = ctx.actions.declare_file(ctx.label.name + ".binarypb")
    if not own:
        ctx.actions.write(comments, "")
    else:
        ctx.actions.run(
            executable = ctx.executable._protoc,
            arguments = [
                "-I.",
                "--include_imports",
                "--include_source_info",
                "--descriptor_set_out=" + comments.path,
            ] + [file.path for file in own],
            inputs = own,
            outputs = [comments],
            mnemonic = "ProtoComments",
        )
    ctx.actions.run_shell(
        command = """{ echo '#include "tools/option_comments.h"'
echo 'static constexpr char kComments[] ='
python3 "$1" --literal "$2"
echo ';'
echo '[[maybe_unused]] static const bool added ='
echo '    syncline::AddOptionComments(kComments, sizeof(kComments) - 1);'
} > "$3" """,
        arguments = [ctx.file._embed.path, comments.path, out.path],
        inputs = [ctx.file._embed, comments],
        outputs = [out],
        mnemonic = "EmbedComments",
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]))]

_option_comments_source = rule(
    implementation = _option_comments_impl,
    attrs = {
        "deps": attr.label_list(aspects = [_collect]),
        "_embed": attr.label(
            default = "//tools:embed_subgraph.py",
            allow_single_file = True,
        ),
        "_protoc": attr.label(
            default = "@com_google_protobuf//:protoc",
            executable = True,
            cfg = "host",
        ),
    },
)

def option_comments(name, deps, **kwargs):
    """A library that brings the comments of the options behind `deps`.

    Args:
      name: of the library.
      deps: libraries with calculators, or protos.
      **kwargs: for all rules: testonly, target_compatible_with, tags.
    """
    _option_comments_source(
        name = name + "_source",
        deps = deps,
        **kwargs
    )
    cc_library(
        name = name,
        srcs = [name + "_source"],
        # Its initialisation is all there is to it.
        alwayslink = True,
        deps = ["//tools:option_comments"],
        **kwargs
    )
