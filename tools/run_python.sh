#!/bin/bash
# Runs a Python program of this folder: run_python.sh NAME.py [ARGS].
#
# Bazel 4's py_binary asks for a program called `python`, which Debian does not
# have; so the Python tools are sh_binary targets over this file.  Without
# runfiles around it (BUILD_WORKSPACE_DIRECTORY or a test says otherwise) the
# program works on the checkout that holds this file.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# The link leads out of the sandbox into the checkout itself.
export SYNCLINE_ROOT=${BUILD_WORKSPACE_DIRECTORY:-${here%/tools}}
program=$here/$1
shift
PYTHONDONTWRITEBYTECODE=1 exec python3 "$program" "$@"
