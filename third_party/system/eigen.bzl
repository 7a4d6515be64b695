"""system_eigen: Debian's Eigen 3, which consists of headers only.

@eigen//:eigen3     #include "Eigen/Core", "Eigen/Dense", "unsupported/Eigen/..."

Debian keeps Eigen's headers in /usr/include/eigen3, where no compiler looks by
itself.  The repository has a header of one line for each of them, so that no
build step has to carry the hundreds of files behind them.
"""

_ROOT = "/usr/include/eigen3"

_BUILD = """
package(default_visibility = ["//visibility:public"])
cc_library(
    name = "eigen3",
    hdrs = glob(["include/**"]),
    includes = ["include"],
)
"""

def _forward(rctx, folder):
    for entry in rctx.path(_ROOT + "/" + folder).readdir():
        name = entry.basename
        if name != "src" and name != "CMakeLists.txt" and name != "CXX11":
            path = folder + "/" + name
            rctx.file("include/" + path, "#include <eigen3/%s>\n" % path)

def _impl(rctx):
    if not rctx.path(_ROOT + "/Eigen/Core").exists:
        fail(("\n\n  @%s: %s/Eigen/Core not found.\n" +
              "  Install the packages first:   ./setup   (or: apt-get install libeigen3-dev)\n") % (
            rctx.name,
            _ROOT,
        ))
    _forward(rctx, "Eigen")
    _forward(rctx, "unsupported/Eigen")
    _forward(rctx, "unsupported/Eigen/CXX11")
    rctx.file("WORKSPACE", "workspace(name = %r)\n" % rctx.name)
    rctx.file("BUILD", _BUILD)

system_eigen = repository_rule(implementation = _impl, local = True, configure = True)
