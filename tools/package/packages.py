"""The table of Debian packages: which files of an installation each has.

Adding a plug-in to tools/install/BUILD and a row to _PLUGINS makes its package;
programs and scripts that are installed come along by themselves.
"""


class Package:
    """One package, but for its files and what is computed of them.

    `depends`, `recommends` and `suggests` may name {version}, the version of
    all packages, and {headers} or {python_yaml}: the packages of
    third_party/packages.sh that these are."""

    def __init__(self, name, section, summary, description, takes, *, depends=(), recommends=(),
                 suggests=(), is_for_all=False, multi_arch=None, folder=".", overrides=""):
        self.name = name
        self.section = section
        self.summary = summary
        self.description = description
        self.takes = takes  # whether an item of the installation is in it
        self.depends = depends
        self.recommends = recommends
        self.suggests = suggests
        self.is_for_all = is_for_all  # architectures
        self.multi_arch = multi_arch
        self.folder = folder  # below that of the others
        self.overrides = overrides  # what lintian is told, with the reason


def _is_library(item):
    return item.kind == "library" and item.link is None


def _is_for_developers(item):
    return (item.kind in ("header", "proto", "cmake", "pkgconfig") or
            (item.kind == "library" and item.link is not None))


def _is_of_users(item):
    return (item.kind in ("completion", "page") or
            (item.kind == "program" and item.link is None))


def _is_script(item):
    return item.kind == "script" or (item.kind == "program" and item.link is not None)


# Debian would have the name change with each binary interface, so that both can
# be there. While the first number is 0, interfaces change often, and nobody needs
# two: shlibs asks for the one that a program was linked with.
_LIBRARY_OVERRIDES = """\
# Two libraries that always change together. What is linked with them depends on
# a version of their binary interface, so there is one at a time.
libsyncline0: package-name-doesnt-match-sonames
"""

# Where packages lie that bring many others along, or that have other terms than
# ours, so that `apt install ./*.deb` is for everybody.
_APART = "optional"

# name: (summary, what it is for, where it lies)
_PLUGINS = {
    "cuda": (
        "NVIDIA GPUs by CUDA for Syncline",
        "The device \"cuda\", for graphs that work on GPUs: programs open it where\n"
        "they look for devices. It has the CUDA runtime inside, and needs a driver\n"
        "of NVIDIA's; without one it does nothing.", _APART),
    "opencv": (
        "images and video by OpenCV for Syncline",
        "Calculators that scale, convert, crop, filter, read and write images,\n"
        "and that decode and encode video, by OpenCV. Graphs find them with\n"
        "run_graph --plugin=opencv.", _APART),
    "page": (
        "page of a running graph, for a browser",
        "With it run_graph --page shows a run in a browser while it goes on: the\n"
        "graph with packets, queues, times, latencies and who waits for whom, and\n"
        "numbers for Prometheus.", "."),
}

_ABOUT = ("Syncline runs graphs of C++ calculators over timestamped streams. The\n"
          "graph is a Protobuf text file, and timestamps decide what is processed\n"
          "together.\n")


def _plugin(name, summary, description, folder):
    return Package(
        f"syncline-plugin-{name}", "libs", summary, description,
        lambda item: item.kind == "plugin" and item.name == name + ".so",
        depends=["libsyncline0 (= {version})"], recommends=["syncline"], folder=folder)


def _plugins_in(folder):
    return [name for name, row in _PLUGINS.items() if row[-1] == folder]


def packages(items):
    """(packages to make, a line for each that has no files here)."""
    table = [
        Package(
            "libsyncline0", "libs", "graphs of calculators over timestamped streams",
            "The framework, and all calculators that need no other libraries.", _is_library,
            suggests=["syncline-plugin-" + name for name in _PLUGINS], multi_arch="same",
            overrides=_LIBRARY_OVERRIDES),
        Package(
            "libsyncline-dev", "libdevel",
            "headers of Syncline, for calculators of your own",
            "Headers, protos, and what CMake and pkg-config find: for calculators,\n"
            "plug-ins and programs that run graphs.", _is_for_developers,
            depends=["libsyncline0 (= {version})", "{headers}"],
            recommends=["syncline"]),
        Package(
            "syncline", "utils", "programs that run graphs and look into runs",
            "run_graph runs a graph and says why one stands still, recording looks\n"
            "into what went through it, trace tells where the time went, and\n"
            "view_graph draws a graph for the browser.", _is_of_users,
            depends=["libsyncline0 (= {version})"],
            recommends=["syncline-plugin-" + name for name in _plugins_in(".")],
            suggests=["graphviz", "libsyncline-dev", "syncline-gxf"] +
            ["syncline-plugin-" + name for name in _plugins_in(_APART)]),
        Package(
            "syncline-gxf", "utils", "makes Syncline graphs of GXF applications",
            "import_gxf reads the YAML files of a GXF application and writes a graph\n"
            "for run_graph, with a report on what is left to do.", _is_script,
            depends=["python3", "{python_yaml}"], suggests=["syncline"], is_for_all=True,
            folder=_APART),
    ] + [_plugin(name, *texts) for name, texts in _PLUGINS.items()]
    missing = []
    for package in list(table):
        if not any(package.takes(item) for item in items):
            table.remove(package)
            missing.append(f"no {package.name}: the library that it needs was not here when "
                           "Syncline was built (./setup --help)")
    for item in items:
        takers = [package.name for package in table if package.takes(item)]
        # Licences have a form and a place of Debian's own.
        if item.kind != "document" and len(takers) != 1:
            raise ValueError(f'"{item.path}" is in {takers}: each file is in one package; '
                             "see tools/package/packages.py")
    for package in table:
        package.description = _ABOUT + package.description
    return table, missing
