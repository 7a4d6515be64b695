"""devices_if_used(): the devices of run_graph, for a program that needs them.

Most graphs use no device, and gpu/ is a sixth of what is compiled for a program of
run_graph. So a program gets it where one of its deps is linked with gpu/ anyway,
and else not a file of it is compiled.
"""

def _uses_devices(deps):
    for dep in deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            package = linked.owner.package
            if not linked.owner.workspace_name and (package + "/").startswith("gpu/"):
                return True
    return False

def _devices_if_used_impl(ctx):
    return [ctx.attr._devices[CcInfo] if _uses_devices(ctx.attr.deps) else CcInfo()]

devices_if_used = rule(
    doc = "A library: //tools:run_graph_devices where one of the deps uses devices, else nothing.",
    implementation = _devices_if_used_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "_devices": attr.label(default = "//tools:run_graph_devices", providers = [CcInfo]),
    },
)
