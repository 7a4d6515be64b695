#!/bin/bash
# Runs install.py on the list of files in the runfiles.
#
# Bazel 4's py_binary asks for a program called `python`, which Debian does not
# have.
set -euo pipefail
runfiles=${RUNFILES_DIR:-$(readlink -f "$0").runfiles}
[[ -d $runfiles ]] || runfiles=$0.runfiles
here=$runfiles/syncline/tools/install
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/install.py" \
  "$here/installation.txt" "$runfiles" "$@"
