"""Shared libraries, and programs that use them, out of ordinary cc_library targets.

    shared_library(name = "a", soversion = "0.1", deps = ["//a"])
    shared_library(name = "b", soversion = "0.1", deps = ["//b"], libraries = [":a"])
    program(name = "c", deps = ["//c"], libraries = [":a", ":b"])
    plugin(name = "d_plugin", deps = ["//d"], libraries = [":a", ":b"])

Whatever //a needs of this project goes into liba.so, as a whole: what only
registers itself would be left out otherwise.  libb.so gets what //b needs
beyond that, c the rest; and so d.so, which programs open.  So each object file is
in exactly one of them, and every table of names, every type and every proto exists
once in a process.

Bazel 4's own linkshared puts all of it into each library.

    shared_library(name = "a", ..., apart = ["//gpu"])
    plugin(name = "gpu_plugin", deps = ["//gpu"], libraries = [":a"])

What //a can do without lies apart, and is in the plug-in alone.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

SharedLibraryInfo = provider(
    doc = "A shared library of this project.",
    fields = {
        "file": "the library, under the name that a linker looks for",
        "soname": "the name that a program looks for, and that it is installed under",
        "archives": "dict with the paths of all archives that it and its libraries contain",
        "apart": "dict with the labels whose archives lie apart from these",
    },
)

# nvcc names its files by the number of its process, and what is stripped of an
# installation keeps only this trace of that: a checksum of all.
_NO_BUILD_ID = ["-Wl,--build-id=none"]

def _archive(library):
    return library.pic_static_library or library.static_library

def _link(ctx, output_type, name, user_link_flags):
    """Links the deps without what the libraries contain: (outputs, archives, apart)."""
    cc = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    merged = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps])
    archives = {}
    apart = {target.label: True for target in getattr(ctx.attr, "apart", [])}
    for used in ctx.attr.libraries:
        archives.update(used[SharedLibraryInfo].archives)
        apart.update(used[SharedLibraryInfo].apart)
    own = [target.label for target in ctx.attr.deps]
    is_library = output_type == "dynamic_library"
    libraries = []
    flags = []
    for linker_input in merged.linking_context.linker_inputs.to_list():
        if linker_input.owner in apart and linker_input.owner not in own:
            continue
        flags += linker_input.user_link_flags
        for library in linker_input.libraries:
            archive = _archive(library)
            if archive == None or archive.path in archives:
                continue
            archives[archive.path] = True
            libraries.append(cc_common.create_library_to_link(
                actions = ctx.actions,
                feature_configuration = features,
                cc_toolchain = cc,
                pic_static_library = library.pic_static_library,
                static_library = library.static_library,
                alwayslink = is_library or library.alwayslink,
            ))
    used_files = [used[SharedLibraryInfo].file for used in ctx.attr.libraries]
    outputs = cc_common.link(
        actions = ctx.actions,
        name = name,
        feature_configuration = features,
        cc_toolchain = cc,
        output_type = output_type,
        linking_contexts = [cc_common.create_linking_context(
            linker_inputs = depset([cc_common.create_linker_input(
                owner = ctx.label,
                libraries = depset(libraries),
            )]),
        )],
        additional_inputs = used_files,
        user_link_flags = [f.path for f in used_files] + flags + user_link_flags + _NO_BUILD_ID,
    )
    return outputs, archives, apart

def _shared_library_impl(ctx):
    soname = "lib%s.so.%s" % (ctx.label.name, ctx.attr.soversion)
    return _linked_library(ctx, soname, [
        "-Wl,-soname," + soname,
        "-Wl,-rpath,$ORIGIN",
    ])

def _plugin_impl(ctx):
    # Where it is installed: lib/syncline/plugins.
    return _linked_library(
        ctx,
        ctx.label.name.replace("_plugin", "") + ".so",
        ["-Wl,-rpath,$ORIGIN/../.."],
    )

def _linked_library(ctx, soname, flags):
    # A symbol that nobody has is an error here, not in the program.
    outputs, archives, apart = _link(
        ctx,
        "dynamic_library",
        ctx.label.name,
        flags + ["-Wl,-z,defs"],
    )
    library = outputs.library_to_link
    file = library.resolved_symlink_dynamic_library or library.dynamic_library
    return [
        DefaultInfo(files = depset([file])),
        SharedLibraryInfo(file = file, soname = soname, archives = archives, apart = apart),
    ]

def _program_impl(ctx):
    outputs, _, _ = _link(ctx, "executable", ctx.label.name, ["-Wl,-rpath,$ORIGIN/../lib"])
    return [DefaultInfo(
        files = depset([outputs.executable]),
        executable = outputs.executable,
    )]

_ATTRS = {
    "deps": attr.label_list(providers = [CcInfo]),
    "libraries": attr.label_list(providers = [SharedLibraryInfo]),
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

shared_library = rule(
    implementation = _shared_library_impl,
    attrs = dict(
        _ATTRS,
        soversion = attr.string(mandatory = True),
        apart = attr.label_list(
            providers = [CcInfo],
            doc = "what it and those that use it leave to a plug-in with these as its deps",
        ),
    ),
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
    incompatible_use_toolchain_transition = True,
)

plugin = rule(
    implementation = _plugin_impl,
    attrs = _ATTRS,
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
    incompatible_use_toolchain_transition = True,
)

program = rule(
    implementation = _program_impl,
    attrs = _ATTRS,
    executable = True,
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
    incompatible_use_toolchain_transition = True,
)
