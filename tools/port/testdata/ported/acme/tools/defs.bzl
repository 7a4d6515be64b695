"""Macros of the Acme project."""

load("//framework:syncline_cc_test.bzl", "syncline_cc_test")

_ACME = "//tools/port/testdata/ported/acme"

def acme_test(name, deps = [], **kwargs):
    """A test of the file of its name.

    Args:
      name: of the test, and of its file.
      deps: beside those of every test.
      **kwargs: of mediapipe_cc_test().
    """
    syncline_cc_test(
        name = name,
        size = "small",
        srcs = [name + ".cc"],
        data = ["//tools/port/testdata/ported/acme/graphs:labels.txt"],
        deps = deps + ["//framework/" + p for p in ["port:gtest_main"]],
        **kwargs
    )
