"""The rules of this project's BUILD files, which tools/build_rules/prelude_bazel loads.

cc_library, cc_test and cc_binary are Bazel's, over precompiled headers.  The usual
target of the framework takes one of these, with less to write:

    syncline_library(
        name = "run_sources",              # run_sources.h and run_sources.cc
        deps = ["//framework/base:mutex"],
        test_deps = [":run_nodes"],        # run_sources_test, of that .cc
    )
    syncline_library(
        name = "graph_clock",
        parts = ["clock", "graph_clock"],  # .h, .cc and _test.cc of each
        test_deps = [],
    )
    syncline_test(name = "graph_order_test", deps = [":calculator_graph"])
    syncline_proto(name = "clock_proto")   # clock_proto and clock_cc_proto, of clock.proto
    forwarding_headers(headers = {"counter": "//framework/calculator:context"})
    forwarding_protos(protos = ["source"])  # source.proto imports that of config/
    folder_libraries()                     # its libraries, compiled together
    folder_test()                          # tests, all small tests of the folder

Sources are compiled with one image of
headers (see precompiled_header.bzl and BUILD beside this file): with googletest for
tests and what is for tests only, without it for everything else.  Calculators, the
engine above their contracts, and tests that run calculators or graphs, get images that
also have headers of the framework.
"""

load(":joined_sources.bzl", "joined_sources")

_FOLDER = "//tools/build_rules"

# Packages, with all below them, whose tests use calculators or graphs.
_TESTS_OF_GRAPHS = [
    "calculators",
    "docs",
    "framework/api2",
    "framework/graph",
    "framework/recording",
    "framework/report",
    "framework/run",
    "framework/tool",
    "pages",
    "testing",
    "tools",
    "util",
]

_CALCULATORS = ["calculators"]

# Packages, with all below them, that stand on the contracts of calculators.
_ON_CONTRACTS = [
    "examples",
    "framework/expansion",
    "framework/graph",
    "framework/node",
    "framework/plan",
    "framework/policy",
    "framework/recording",
    "framework/report",
    "framework/run",
    "pages",
    "tools",
]

# What was moved in from MediaPipe includes headers that its deps offer only through
# others, so clang does not check that.
_UNCHECKED = ["tools/port/testdata"]

# A third of the time of gold.  Not for shared libraries: it leaves "unique" symbols as
# they are, and with these a library cannot be closed again.
_LINKER = ["-fuse-ld=mold"]

def _lies_in(folders):
    package = native.package_name()
    return bool([f for f in folders if (package + "/").startswith(f + "/")])

def _image(is_for_tests):
    if is_for_tests:
        return "graph_tests" if _lies_in(_TESTS_OF_GRAPHS) else "for_tests"
    if _lies_in(_CALCULATORS):
        return "calculators"
    return "engine" if _lies_in(_ON_CONTRACTS) else "common"

def _is_cpp(source):
    return source.endswith(".cc") or source.endswith(".cpp") or source.startswith(":")

def _precompiled(kwargs, is_for_tests):
    """The arguments, with the image that fits.

    A target whose own options change how code is compiled (copts, but for warnings
    switched off) goes without: g++ would refuse the image.
    """
    if _lies_in(_UNCHECKED):
        kwargs["features"] = kwargs.get("features", []) + ["-layering_check"]
    copts = kwargs.get("copts", [])
    if type(copts) != "list" or [o for o in copts if not o.startswith("-Wno-")]:
        return kwargs
    if not kwargs.get("srcs"):
        return kwargs
    srcs = kwargs["srcs"]
    if type(srcs) == "list" and not [s for s in srcs if _is_cpp(s)]:
        return kwargs
    if type(srcs) == "list" and [s for s in srcs if s.endswith(".c")]:
        return kwargs
    image = _image(is_for_tests)
    kwargs["deps"] = kwargs.get("deps", []) + ["%s:%s" % (_FOLDER, image)]
    kwargs["copts"] = select({
        _FOLDER + ":without_images": [],
        "//conditions:default": ["-include", "$(GENDIR)/tools/build_rules/%s.h" % image],
    }) + copts
    return kwargs

def _uses_googletest(kwargs):
    deps = kwargs.get("deps", [])
    if kwargs.get("testonly"):
        return True
    return type(deps) == "list" and bool([d for d in deps if "googletest" in d])

def cc_library(name, **kwargs):
    """Bazel's, over a precompiled header."""
    native.cc_library(name = name, **_precompiled(kwargs, _uses_googletest(kwargs)))

def cc_binary(name, **kwargs):
    """Bazel's, over a precompiled header."""
    if not kwargs.get("linkshared"):
        kwargs["linkopts"] = kwargs.get("linkopts", []) + _LINKER
    native.cc_binary(name = name, **_precompiled(kwargs, _uses_googletest(kwargs)))

def cc_test(name, **kwargs):
    """Bazel's, over a precompiled header.

    Where it has several sources x_test.cc, each x_test is a target too, which `//...`
    leaves out and which runs the program, so that a header can name its own test.
    """
    srcs = kwargs.get("srcs", [])
    if type(srcs) == "list" and len(srcs) > 1:
        for source in srcs:
            stem = source[:-len(".cc")]
            if source.endswith("_test.cc") and stem != name:
                native.test_suite(name = stem, tests = [":" + name], tags = ["manual"])
    kwargs["linkopts"] = kwargs.get("linkopts", []) + _LINKER
    native.cc_test(name = name, **_precompiled(kwargs, True))

_ABSEIL = "@com_google_absl//:libs"
_GOOGLETEST = "@com_google_googletest//:gtest_main"

def _existing(name):
    return native.glob([name], allow_empty = True)

# How many sources of libraries, or of tests, are compiled as one at most.  A change of
# one compiles them all: 6 s for libraries, 10 s at most and 1 GB of memory for tests.
_SOURCES_IN_ONE = 12

# Folders whose BUILD file ends with folder_libraries(): those of which nearly every
# program of a graph has nearly every library.
_JOINED_FOLDERS = [
    "framework/base",
    "framework/calculator",
    "framework/component",
    "framework/expansion",
    "framework/graph",
    "framework/graph_text",
    "framework/node",
    "framework/packet",
    "framework/plan",
    "framework/policy",
    "framework/recording",
    "framework/run",
    "framework/run/preparation",
    "framework/scheduler",
    "framework/stream",
    "framework/trace",
    "framework/trace/convert",
    "pages/live",
    "pages/model",
    "pages/server",
]

# The library of all of these, and what a part of it may say besides its files and deps.
_LIBRARIES = "libraries"
_PART_MAY_SAY = ["alwayslink", "linkopts", "visibility"]

# The tag, and the end of the name, of a list of the files of a part.
_PART = "part_of_libraries"

def _if_joined(joined, otherwise):
    """A choice by whether the build joins sources.

    An optimised one does not.  --config=tsan and clang compile each source by itself,
    too, so one that uses what only another one includes or declares does not pass
    .ci/run.
    """
    return select({
        _FOLDER + ":joined": joined,
        _FOLDER + ":joined_with_debug": joined,
        "//conditions:default": otherwise,
    })

# For target_compatible_with: only where sources are joined.
JOINED_REQUIRED = _if_joined([], [_FOLDER + ":another_build"])

def _can_be_joined(sources):
    return not [s for s in sources if not s.endswith(".cc") and not s.endswith(".h")]

def _joined(name, sources):
    """The sources of a library, joined unless the build is optimised."""
    compiled = [s for s in sources if s.endswith(".cc")]
    if len(compiled) < 2 or not _can_be_joined(sources):
        return sources
    joined_sources(
        name = name + "_joined",
        srcs = compiled,
        sources_in_one = _SOURCES_IN_ONE,
    )
    headers = [s for s in sources if s.endswith(".h")]
    return _if_joined([":%s_joined" % name] + headers, sources)

def folder_libraries():
    """The libraries that the BUILD file declares above this line, compiled together.

    They stay the libraries that they are: each has its headers, deps and tests. But
    their sources are compiled, several as one, in a library that all of them have
    among their deps. So who needs one of them links all.  One that not everybody may
    get (another package of the machine, a registration) says `apart = True`.
    """
    rules = native.existing_rules()
    parts = [r for r in rules.values() if _PART in r["tags"]]
    libraries = [rules[p["name"][:-len("_" + _PART)]] for p in parts]
    own = [":" + r["name"] for r in libraries] + [":" + _LIBRARIES]
    files = {f: None for p in parts for f in p["srcs"]}.keys()
    image = "%s:%s" % (_FOLDER, _image(False))
    deps = {d: None for r in libraries for d in r["deps"] if d not in own and d != image}
    joined_sources(
        name = _LIBRARIES + "_joined",
        srcs = [f for f in files if f.endswith(".cc")],
        sources_in_one = _SOURCES_IN_ONE,
    )
    headers = [f for f in files if f.endswith(".h")]
    cc_library(
        name = _LIBRARIES,
        srcs = _if_joined([":%s_joined" % _LIBRARIES] + headers, []),
        deps = _if_joined(deps.keys(), []),
        linkopts = {o: None for r in libraries for o in r["linkopts"]}.keys(),
        alwayslink = bool([r for r in libraries if r["alwayslink"]]),
        visibility = ["//visibility:private"],
    )

def _tests_of(name, parts):
    """The names of the tests of a library and of its parts."""
    stems = [name] + [part for part in parts or [] if part != name]
    tests = [stem + "_test" for stem in stems if _existing(stem + "_test.cc")]
    if not tests:
        fail("there is no test of %s" % name)
    return tests

def syncline_library(
        name,
        srcs = None,
        hdrs = None,
        parts = None,
        deps = [],
        tests = None,
        test_deps = None,
        test_alone = False,
        apart = False,
        **kwargs):
    """A cc_library over Abseil, and the tests of it.

    Args:
      name: of the library.
      srcs: its sources; if neither srcs, hdrs nor parts are given, NAME.cc. Several
        are compiled joined.
      hdrs: its headers; if neither srcs, hdrs nor parts are given, NAME.h.
      parts: instead of srcs and hdrs: it consists of PART.h and PART.cc of each of
        these, where there are such files.
      deps: its libraries besides Abseil.
      tests: the names of its tests; default NAME_test and, for each part, PART_test,
        where there are such files.
      test_deps: if given, there are small tests, each of the source of its name, which
        get the library, `deps`, these, googletest and Abseil.
      test_alone: whether these tests need processes of their own.
      apart: whether it is no part of what folder_libraries() compiles together.
      **kwargs: passed to the cc_library.
    """
    if parts != None:
        srcs = [source for part in parts for source in _existing(part + ".cc")]
        hdrs = [header for part in parts for header in _existing(part + ".h")]
    elif srcs == None and hdrs == None:
        srcs = _existing(name + ".cc")
        hdrs = _existing(name + ".h")
        if not srcs and not hdrs:
            fail("there is neither %s.h nor %s.cc" % (name, name))
    srcs = srcs or []
    hdrs = hdrs or []
    is_part = native.package_name() in _JOINED_FOLDERS and not apart and \
              _can_be_joined(srcs) and not [k for k in kwargs if k not in _PART_MAY_SAY]
    if is_part:
        native.filegroup(
            name = "%s_%s" % (name, _PART),
            srcs = srcs + hdrs,
            tags = ["manual", _PART],
        )
    cc_library(
        name = name,
        srcs = _if_joined([], srcs) if is_part and srcs else _joined(name, srcs),
        hdrs = hdrs,
        deps = deps + [_ABSEIL] + ([":" + _LIBRARIES] if is_part else []),
        **kwargs
    )
    if test_deps != None:
        used = [":" + name] + deps
        for test in tests or _tests_of(name, parts):
            syncline_test(
                name = test,
                deps = used + [d for d in test_deps if d not in used],
                alone = test_alone,
            )

# The tag of a test that runs as part of its folder's program.
_JOINED = "joined"

# What such a test may differ in: with an option of its own it is a program of its own.
# (A constraint is empty where the optional library is there.)
_JOINED_MAY_SAY = ["data", "testonly"]

def syncline_test(name, srcs = None, size = "small", deps = [], alone = False, **kwargs):
    """A cc_test with googletest's main(), over Abseil.

    `bazel test //...` runs a small test without options of its own as part of its
    folder's program: see folder_test.

    Args:
      name: of the test.
      srcs: its sources; default NAME.cc.
      size: how long it may take, as for cc_test.
      deps: its libraries besides googletest and Abseil.
      alone: whether it needs a process of its own.
      **kwargs: passed to the cc_test.
    """
    others = [k for k in kwargs if k not in _JOINED_MAY_SAY and kwargs[k] != []]
    if not alone and size == "small" and not others:
        kwargs["tags"] = [_JOINED, "manual"]
    cc_test(
        name = name,
        srcs = srcs or [name + ".cc"],
        size = size,
        deps = deps + [_GOOGLETEST, _ABSEIL],
        **kwargs
    )

# A program of more sources runs as two parts at a time.
_SOURCES_IN_A_SHARD = 15

def folder_test(**kwargs):
    """The small tests that the BUILD file declares above this line, as one program.

    Its name is `tests`: `bazel test //framework/node:tests`, and
    `--test_filter='ConditionGate*'` for a part of it.  Each of them is a target too,
    which `//...` leaves out: `bazel test //framework/node:condition_gate_test`.

    Args:
      **kwargs: passed to the cc_test.
    """
    tests = [r for r in native.existing_rules().values() if _JOINED in r["tags"]]
    if not tests:
        return
    sources = {s: None for r in tests for s in r["srcs"]}
    joined_sources(
        name = "joined_tests",
        srcs = sorted([s for s in sources if s.endswith(".cc")]),
        sources_in_one = _SOURCES_IN_ONE,
        testonly = True,
        tags = ["manual"],
    )
    program = _precompiled({
        "srcs": [":joined_tests"] + [s for s in sources if not s.endswith(".cc")],
        "deps": {d: None for r in tests for d in r["deps"]}.keys(),
    }, True)
    # Each of the tests has the image among its deps already.
    program["deps"] = {d: None for d in program["deps"]}.keys()
    native.cc_test(
        name = "tests",
        size = "large",  # a sanitizer takes minutes for some
        data = {d: None for r in tests for d in r["data"]}.keys(),
        linkopts = _LINKER,
        shard_count = 2 if len(sources) > _SOURCES_IN_A_SHARD else None,
        **dict(program, **kwargs)
    )

    # For a program with the tests of several folders, such as //gpu:gpu_tests.
    native.cc_library(
        name = "tests_library",
        testonly = True,
        tags = ["manual"],
        alwayslink = True,
        visibility = ["//visibility:public"],
        **program
    )

def syncline_proto(name, srcs = None, deps = [], **kwargs):
    """A proto_library and its cc_proto_library.

    Args:
      name: of the proto_library, X_proto; the other one is X_cc_proto.
      srcs: the .proto files; default X.proto.
      deps: proto libraries.
      **kwargs: passed to both.
    """
    base = name[:-len("_proto")]
    native.proto_library(name = name, srcs = srcs or [base + ".proto"], deps = deps, **kwargs)
    native.cc_proto_library(name = base + "_cc_proto", deps = [":" + name], **kwargs)

def forwarding_headers(headers):
    """Libraries of one header each, which includes that of another library.

    Args:
      headers: the label of the other library, by the name of the header without .h.
    """
    for name, library in headers.items():
        syncline_library(name = name, deps = [library])

def forwarding_protos(protos):
    """.proto files that publicly import that of the same name in framework/config.

    Args:
      protos: the names of the files without .proto.
    """
    for name in protos:
        syncline_proto(name = name + "_proto", deps = ["//framework/config:%s_proto" % name])
