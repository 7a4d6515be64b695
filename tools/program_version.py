"""The version that the Python programs of this folder say with --version.

install/version.bzl has it, in a checkout as in an installation, where
import_gxf lies beside that folder, too.
"""
import os


def program_version(name):
    """What --version prints: "import_gxf (Syncline 0.1.0)"."""
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "install",
                        "version.bzl")
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith('VERSION = "'):
                return f"{name} (Syncline {line.split(chr(34))[1]})"
    raise ValueError(f"{path} says no VERSION")
