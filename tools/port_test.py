#!/usr/bin/env python3
"""Runs the tests of tools/port: port_test.py MODULE, e.g. cpp_test."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

if __name__ == "__main__":
    unittest.main(module="port." + sys.argv[1], argv=sys.argv[:1] + sys.argv[2:])
