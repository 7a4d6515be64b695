"""cc_library, cc_test and cc_binary of this project: Bazel's, over precompiled headers.

tools/build_rules/prelude_bazel loads them into every BUILD file, so a BUILD file
says `cc_library(...)` and nothing else.  Sources are compiled with one of two
images of headers from outside the project (see precompiled_header.bzl): with
googletest for tests and what is for tests, without it for everything else.
"""

_FOLDER = "//tools/build_rules"

def _is_cpp(source):
    return source.endswith(".cc") or source.endswith(".cpp") or source.startswith(":")

def _precompiled(kwargs, is_for_tests):
    """The arguments, with the image that fits.

    A target whose own options change how code is compiled (copts) goes without:
    g++ would refuse the image.
    """
    if "copts" in kwargs or not kwargs.get("srcs"):
        return kwargs
    srcs = kwargs["srcs"]
    if type(srcs) == "list" and not [s for s in srcs if _is_cpp(s)]:
        return kwargs
    if type(srcs) == "list" and [s for s in srcs if s.endswith(".c")]:
        return kwargs
    image = "for_tests" if is_for_tests else "common"
    kwargs["deps"] = kwargs.get("deps", []) + ["%s:%s" % (_FOLDER, image)]
    kwargs["copts"] = ["-include", "$(GENDIR)/tools/build_rules/%s.h" % image]
    return kwargs

def _uses_googletest(kwargs):
    deps = kwargs.get("deps", [])
    if kwargs.get("testonly"):
        return True
    return type(deps) == "list" and bool([d for d in deps if "googletest" in d])

def cc_library(name, **kwargs):
    native.cc_library(name = name, **_precompiled(kwargs, _uses_googletest(kwargs)))

def cc_binary(name, **kwargs):
    native.cc_binary(name = name, **_precompiled(kwargs, _uses_googletest(kwargs)))

def cc_test(name, **kwargs):
    native.cc_test(name = name, **_precompiled(kwargs, True))
