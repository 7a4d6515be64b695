"""The test rule of ported BUILD files, by the name that the port gives it."""

load("//tools/build_rules:cc.bzl", "cc_test")

def syncline_cc_test(
        name,
        srcs = [],
        deps = [],
        additional_deps = ["//framework/port:gtest_main"],
        platforms = None,
        exclude_platforms = None,
        **kwargs):
    """A cc_test with googletest's main().

    Args:
      name: of the test.
      srcs: its sources.
      deps: its libraries.
      additional_deps: more of them.
      platforms: systems to test on; here there is one.
      exclude_platforms: systems not to test on.
      **kwargs: passed to the cc_test.
    """
    cc_test(
        name = name,
        srcs = srcs,
        deps = deps + [d for d in additional_deps if d not in deps],
        **kwargs
    )
