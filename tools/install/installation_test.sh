#!/bin/bash
# installation_test.sh PART PAGE: see installation_tests.py.
set -euo pipefail
runfiles=$TEST_SRCDIR
here=$runfiles/$TEST_WORKSPACE/tools/install
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/installation_tests.py" \
  "$here/installation.txt" "$runfiles" "$runfiles/$TEST_WORKSPACE/$2" "$1"
