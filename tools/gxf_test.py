#!/usr/bin/env python3
"""Runs the tests of tools/gxf: gxf_test.py MODULE, e.g. importer_test."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

if __name__ == "__main__":
    unittest.main(module="gxf." + sys.argv[1], argv=sys.argv[:1] + sys.argv[2:])
