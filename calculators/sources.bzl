"""What a test of the documentation of calculators reads."""

def calculator_sources():
    """The sources of a folder, as :sources; not those in folders below it."""
    native.filegroup(
        name = "sources",
        srcs = native.glob(["*.cc", "*.h"]),
        visibility = ["//calculators:__pkg__"],
    )
