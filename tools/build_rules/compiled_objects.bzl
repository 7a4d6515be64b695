"""compiled_objects: what a program has to have compiled, as a list.

    compiled_objects(name = "objects", deps = ["//a"])

gives a file with a line for each object file of this project that //a is linked
of: each is one run of the compiler.
"""

def _compiled_objects_impl(ctx):
    objects = {}
    for dep in ctx.attr.deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            for library in linked.libraries:
                for file in library.pic_objects or library.objects or []:
                    objects[file.short_path] = True
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(out, "".join([path + "\n" for path in sorted(objects)]))
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

compiled_objects = rule(
    implementation = _compiled_objects_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo], mandatory = True)},
)
