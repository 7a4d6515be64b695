"""Macros of the Acme project."""

load("@mediapipe//mediapipe/framework:mediapipe_cc_test.bzl", "mediapipe_cc_test")

_ACME = "//mediapipe/acme"

def acme_test(name, deps = [], **kwargs):
    """A test of the file of its name.

    Args:
      name: of the test, and of its file.
      deps: beside those of every test.
      **kwargs: of mediapipe_cc_test().
    """
    mediapipe_cc_test(
        name = name,
        size = "small",
        srcs = [name + ".cc"],
        data = [_ACME + "/graphs:labels.txt"],
        deps = deps + ["//mediapipe/framework/" + p for p in ["port:gtest_main"]],
        **kwargs
    )
