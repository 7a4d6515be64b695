"""What an installation consists of, read off the targets that are installed.

installation() writes a list, one line `KIND<tab>PATH IN RUNFILES<tab>NAME` a
file, for install.py, and brings the files along as runfiles.  Nobody keeps a
list of headers by hand: a header is installed when a library of the
installation needs it, and so is the .proto file of each message.
"""

load(":shared_library.bzl", "SharedLibraryInfo")

ProtoFilesInfo = provider(
    doc = "The .proto files of this project that a target needs.",
    fields = {"files": "depset of .proto files"},
)

def _proto_files_impl(target, ctx):
    direct = target[ProtoInfo].direct_sources if ProtoInfo in target else []
    return [ProtoFilesInfo(files = depset(
        direct,
        transitive = [
            d[ProtoFilesInfo].files
            for d in getattr(ctx.rule.attr, "deps", [])
            if ProtoFilesInfo in d
        ],
    ))]

_proto_files = aspect(
    implementation = _proto_files_impl,
    attr_aspects = ["deps"],
)

def _name_in_includes(file):
    """The path that an #include or import gives, or None for files of others."""
    path = file.short_path
    if path.startswith("../") or path.startswith("external/"):
        return None

    # Precompiled headers: of the build, not of the libraries.
    if path.startswith("tools/build_rules/"):
        return None
    for virtual in ["/_virtual_includes/", "/_virtual_imports/"]:
        if virtual in path:
            return path.split(virtual)[1].split("/", 1)[1]
    return path

def _headers(ctx):
    return cc_common.merge_cc_infos(
        cc_infos = [d[CcInfo] for d in ctx.attr.deps],
    ).compilation_context.headers.to_list()

def _protos(ctx):
    return depset(transitive = [d[ProtoFilesInfo].files for d in ctx.attr.deps]).to_list()

def _installation_impl(ctx):
    entries = {}  # (kind, name) -> file
    for library in ctx.attr.libraries:
        info = library[SharedLibraryInfo]
        entries[("library", info.soname)] = info.file
    for plugin in ctx.attr.plugins:
        info = plugin[SharedLibraryInfo]
        entries[("plugin", info.soname)] = info.file
    for file in ctx.files.scripts:
        entries[("script", file.short_path[len("tools/"):])] = file
    for kind, files in [
        ("program", ctx.files.programs),
        ("completion", ctx.files.completion),
        ("template", ctx.files.templates),
        ("document", ctx.files.documents),
    ]:
        for file in files:
            entries[(kind, file.basename)] = file
    for file in ctx.files.pages:
        entries[("page", file.short_path[len("docs/"):])] = file
    for kind, files in [("header", _headers(ctx)), ("proto", _protos(ctx))]:
        for file in files:
            name = _name_in_includes(file)
            if name != None:
                entries[(kind, name)] = file

    lines = ["\t".join(["version", ctx.attr.version])] + [
        "\t".join([kind, ctx.workspace_name + "/" + file.short_path, name])
        for (kind, name), file in entries.items()
    ]
    list_file = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(list_file, "\n".join(lines) + "\n")
    return [DefaultInfo(
        files = depset([list_file]),
        runfiles = ctx.runfiles(files = entries.values() + [list_file]),
    )]

installation = rule(
    implementation = _installation_impl,
    attrs = {
        "deps": attr.label_list(
            providers = [CcInfo],
            aspects = [_proto_files],
            doc = "the libraries whose headers and protos are installed",
        ),
        "libraries": attr.label_list(providers = [SharedLibraryInfo]),
        "plugins": attr.label_list(
            providers = [SharedLibraryInfo],
            doc = "libraries that run_graph opens when --plugin names them",
        ),
        "programs": attr.label_list(),
        "scripts": attr.label_list(
            allow_files = True,
            doc = "Python below //tools: NAME_main.py is a program, and has a link in bin",
        ),
        "completion": attr.label(
            allow_single_file = True,
            doc = "what bash completes the command lines of all programs with",
        ),
        "templates": attr.label_list(
            allow_files = True,
            doc = "files in which @NAMES@ are filled in; see install.py",
        ),
        "documents": attr.label_list(allow_files = True),
        "pages": attr.label_list(
            allow_files = True,
            doc = "of //docs: what the texts of programs name as docs/PAGE.md",
        ),
        "version": attr.string(mandatory = True),
    },
)

_MODE = "//command_line_option:compilation_mode"

# Of .bazelrc: warnings are errors, which is for who changes the code.
_WARNINGS = "//command_line_option:per_file_copt"

def _optimised_settings(settings, attr):
    # Bazel 4 gives an object that is equal to no string.
    mode = str(settings[_MODE])
    return {_MODE: "opt" if mode == "fastbuild" else mode, _WARNINGS: []}

_optimised_transition = transition(
    implementation = _optimised_settings,
    inputs = [_MODE],
    outputs = [_MODE, _WARNINGS],
)

def _optimised_impl(ctx):
    files = ctx.attr.actual[0][DefaultInfo]
    return [DefaultInfo(files = files.files, runfiles = files.default_runfiles)]

# The same, compiled with -c opt where the command line does not ask for -c dbg.
optimised = rule(
    implementation = _optimised_impl,
    attrs = {
        "actual": attr.label(cfg = _optimised_transition),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
