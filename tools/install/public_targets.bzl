"""public_targets: a repository with the lists of libraries to install.

@public_targets//:defs.bzl has FRAMEWORK_TARGETS and CALCULATOR_TARGETS, as
public_targets.py reads them off the BUILD files.  They are read again when one
of these changes; a new folder is seen with the next start of Bazel's server, or
after `./bazelw sync --configure`.
"""

_ROOTS = ["calculators", "framework", "gpu", "graphs", "util"]

# How deep folders with BUILD files may lie.
_DEPTH = 6

def _watch_build_files(rctx, root):
    """Makes Bazel evaluate this anew when a BUILD file below changes."""
    folders = [root.get_child(name) for name in _ROOTS]
    for _ in range(_DEPTH):
        below = []
        for folder in folders:
            for child in folder.readdir():
                if child.basename == "BUILD":
                    package = str(folder)[len(str(root)) + 1:]
                    rctx.path(Label("@syncline//%s:BUILD" % package))
                elif "." not in child.basename and child.get_child("BUILD").exists:
                    below.append(child)
        folders = below

def _impl(rctx):
    root = rctx.path(Label("@syncline//:WORKSPACE")).dirname
    script = rctx.path(Label("@syncline//tools/install:public_targets.py"))
    _watch_build_files(rctx, root)
    result = rctx.execute(["python3", "-B", script, root])
    if result.return_code != 0:
        fail("public_targets.py: " + result.stderr)
    rctx.file("WORKSPACE", "workspace(name = %r)\n" % rctx.name)
    rctx.file("BUILD", "")
    rctx.file("defs.bzl", result.stdout)

public_targets = repository_rule(implementation = _impl, local = True, configure = True)
