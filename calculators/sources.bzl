"""What tests of all calculators together read."""

def calculator_sources():
    """The sources of a folder and its tables, as :sources; none of folders below it."""
    native.filegroup(
        name = "sources",
        srcs = native.glob(["*.cc", "*.h", "*.txt"]),
        visibility = ["//calculators:__pkg__"],
    )
