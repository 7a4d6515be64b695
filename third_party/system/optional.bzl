"""Parts of the machine that a build can do without.

optional_library: @NAME//:NAME is a cc_library of the distribution's library.
optional_program: nothing to build; says whether a program is there.

@NAME//:defs.bzl has AVAILABLE and REQUIRED: put the second into
target_compatible_with of whatever needs the part.  Where it is absent, Bazel
then skips such targets (`test //...` says SKIPPED) and the rest is green.
"""

_STUB = """
constraint_setting(name = "present")

# No platform has this constraint, so targets that need it are skipped.
constraint_value(name = "absent", constraint_setting = ":present")
"""

def _begin(rctx):
    """Writes what both rules have in common; returns whether the part is there."""
    have = all([rctx.path(p).exists for p in rctx.attr.probe])
    required = [] if have else ["@%s//:absent" % rctx.name]
    rctx.file("WORKSPACE", "workspace(name = %r)\n" % rctx.name)
    rctx.file("defs.bzl", "AVAILABLE = %r\nREQUIRED = %r\n" % (have, required))
    return have

def _library_impl(rctx):
    have = _begin(rctx)
    body = 'package(default_visibility = ["//visibility:public"])\n'
    folders = []
    if have:
        for i, path in enumerate(rctx.attr.includes):
            folders.append("include%d" % i)
            rctx.symlink(path, folders[-1])
    else:
        body += _STUB
    rctx.file("BUILD", body + """
cc_library(
    name = %r,
    hdrs = glob(%r, allow_empty = True),
    includes = %r,
    linkopts = %r,
    target_compatible_with = %r,
)
""" % (
        rctx.name,
        [f + "/**/*.h" for f in folders],
        folders,
        rctx.attr.linkopts if have else [],
        [] if have else [":absent"],
    ))

optional_library = repository_rule(
    implementation = _library_impl,
    local = True,
    configure = True,
    attrs = {
        "probe": attr.string_list(doc = "absolute paths that must exist"),
        "includes": attr.string_list(doc = "header folders other than /usr/include"),
        "linkopts": attr.string_list(),
    },
)

def _program_impl(rctx):
    have = _begin(rctx)
    rctx.file("BUILD", 'package(default_visibility = ["//visibility:public"])\n' +
                       ("" if have else _STUB))

optional_program = repository_rule(
    implementation = _program_impl,
    local = True,
    configure = True,
    attrs = {"probe": attr.string_list(doc = "absolute paths that must exist")},
)
