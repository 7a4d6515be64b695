#!/usr/bin/python3
"""import_gxf of an installation, which lies beside its modules.

In a checkout tools/import_gxf is the program.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from gxf.main import main  # noqa: E402 (the path comes first)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
