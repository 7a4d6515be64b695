"""embedded_text(): scripts and styles of a page, as functions of a C++ library."""

def embedded_text(name, function, header, srcs):
    """Writes NAME.cc, which goes into the srcs of the library with the header.

    Args:
      name: of the target.
      function: what returns the text of all files of `srcs`, in their order; and
        FUNCTION + "Hash" returns "sha256-...", as a Content-Security-Policy has it.
      header: what declares both, from the root of the workspace.
      srcs: the files, not all of one kind, of which none has "</" in it.
    """
    native.genrule(
        name = name + "_cc",
        srcs = srcs,
        outs = [name + ".cc"],
        cmd = "python3 -B $(location //pages/build_rules:embed_text.py) %s %s %s > $@" % (
            function,
            header,
            " ".join(["$(location %s)" % src for src in srcs]),
        ),
        tools = [
            "//pages/build_rules:embed_text.py",
            "//tools:embed_subgraph.py",
        ],
    )
