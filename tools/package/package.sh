#!/bin/bash
# Runs package.py on the list of files in the runfiles; see tools/install/install.sh.
set -euo pipefail
runfiles=${RUNFILES_DIR:-$(readlink -f "$0").runfiles}
[[ -d $runfiles ]] || runfiles=$0.runfiles
root=$runfiles/syncline
list=$root/third_party/packages.sh
. "${BUILD_WORKSPACE_DIRECTORY:-$root}/third_party/packages.sh"
[[ " $* " == *" --help "* || " $* " == *" -h "* ]] ||
  install_missing "making packages" "${package_packages[@]}" || exit 1
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tools/install exec python3 \
  "$root/tools/package/package.py" "$root/tools/install/installation.txt" \
  "$runfiles" "$list" "$@"
