#!/bin/bash
# Runs a Python program of this folder: run_python.sh NAME.py [ARGS].
#
# Bazel 4's py_binary asks for a program called `python`, which Debian does not
# have, so the Python tools are sh_binary and sh_test targets over this file.
# SYNCLINE_ROOT tells them where the checkout is: `bazel run` says so; a test
# finds it by following the link in its runfiles to this file itself.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export SYNCLINE_ROOT=${BUILD_WORKSPACE_DIRECTORY:-${here%/tools}}
program=$here/$1
shift
PYTHONDONTWRITEBYTECODE=1 exec python3 "$program" "$@"
