#!/bin/bash
# See package_tests.py.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tools/install:$root/tools/package \
  exec python3 "$root/tools/package/package_tests.py" \
  "$root/tools/install/installation.txt" "$TEST_SRCDIR" \
  "$root/third_party/packages.sh"
