"""doc_test(): compiles and runs the code fences of Markdown pages."""

load("//tools/build_rules:cc.bzl", "cc_test")

def doc_test(name, page, deps = [], **kwargs):
    """A test of every tagged fence of one page; see tools/doc_snippets.py.

    Args:
      name: of the test.
      page: the Markdown file.
      deps: of what the snippets include, a target per header.
      **kwargs: passed to the cc_test.
    """
    native.genrule(
        name = name + "_source",
        srcs = [page],
        outs = [name + ".cc"],
        cmd = "python3 $(location //tools:doc_snippets.py) $< > $@",
        tools = ["//tools:doc_snippets.py"],
    )
    cc_test(
        name = name,
        size = "small",
        srcs = [name + ".cc"],
        deps = deps + [
            "//docs:snippet_support",
            "//framework/port:status_matchers",
            "@com_google_googletest//:gtest_main",
        ],
        **kwargs
    )
