"""What the Python programs of this folder say of themselves: as about_program.h
has it for those in C++.

install/version.bzl has the version, in a checkout as in an installation, where
import_gxf lies beside that folder, too.
"""
import argparse
import os
import sys


def program_version(name):
    """What --version prints: "import_gxf (Syncline 0.1.0)"."""
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "install",
                        "version.bzl")
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith('VERSION = "'):
                return f"{name} (Syncline {line.split(chr(34))[1]})"
    raise ValueError(f"{path} says no VERSION")


class ProgramParser(argparse.ArgumentParser):
    """argparse's, with --version; help that cannot be written is exit status 1.

    argparse itself keeps silent about that."""

    def __init__(self, prog, **arguments):
        super().__init__(prog=prog, formatter_class=argparse.RawDescriptionHelpFormatter,
                         **arguments)
        self._version = program_version(prog)

    def parse_args(self, *arguments, **named):
        # Here, so that it is the last one in the list.
        self.add_argument("--version", action="version", version=self._version,
                          help="of which Syncline it is")
        return super().parse_args(*arguments, **named)

    def _print_message(self, message, file=None):
        file = file or sys.stderr
        try:
            file.write(message)
            file.flush()
        except OSError as error:
            # What is left in the buffer would be written again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())
            sys.exit(f"{self.prog}: {file.name}: {error.strerror}")
