"""precompiled_header: a header that g++ reads as an image of what it has parsed already.

    precompiled_header(name = "common", hdr = "common_includes.h", deps = [...])

gives a target for `deps`, and the header `common.h` with its image `common.h.gch`
beside it.  g++ takes the image where `-include .../common.h` comes first and the
options fit; where they do not, it reads the header.  With another compiler
than g++, or with --define=precompiled_headers=no, `common.h` is empty: the sources
must compile without it, since each source includes what it uses.

The image is made with the options of the build (each configuration has its own),
so the rule asks Bazel for the same command line that a cc_library gets.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _context(ctx, headers):
    """CcInfo with the headers, over those of the deps; it links nothing."""
    compilation = cc_common.create_compilation_context(
        headers = depset(headers),
    )
    return cc_common.merge_cc_infos(
        cc_infos = [CcInfo(compilation_context = c) for c in [compilation] +
                    [d[CcInfo].compilation_context for d in ctx.attr.deps]],
    )

def _image(ctx, cc, header):
    """The image of the header, with the options of the build."""
    image = ctx.actions.declare_file(header.basename + ".gch")
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    below = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps])
    below = below.compilation_context
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = cc,
        source_file = header.path,
        output_file = image.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        # Bazel compiles position-independent code for everything but -c opt.
        use_pic = ctx.var["COMPILATION_MODE"] != "opt",
        include_directories = below.includes,
        quote_include_directories = below.quote_includes,
        system_include_directories = below.system_includes,
        preprocessor_defines = below.defines,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
        ),
        arguments = ["-x", "c++-header"] + cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        inputs = depset([header], transitive = [below.headers, cc.all_files]),
        outputs = [image],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling " + header.short_path,
    )
    return image

def _precompiled_header_impl(ctx):
    cc = find_cpp_toolchain(ctx)
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    if ctx.var.get("precompiled_headers") == "no" or "clang" in cc.compiler:
        ctx.actions.write(header, "// Nothing: see precompiled_header.bzl.\n")
        return [DefaultInfo(files = depset([header])), _context(ctx, [header])]

    ctx.actions.expand_template(template = ctx.file.hdr, output = header, substitutions = {})
    image = _image(ctx, cc, header)
    return [DefaultInfo(files = depset([header, image])), _context(ctx, [header, image])]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "hdr": attr.label(allow_single_file = [".h"], mandatory = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
    incompatible_use_toolchain_transition = True,
)
