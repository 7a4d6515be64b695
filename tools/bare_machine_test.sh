#!/bin/bash
# Proves that the README's two commands work on a bare Debian 12:
#
#   tools/bare_machine_test.sh DIR [COMMAND...]     as root
#
# Makes a minimal root file system in DIR (debootstrap --variant=minbase; kept
# and taken as it is if DIR already holds one), clones the last commit into it,
# runs the commands there and reports seconds and packages.  COMMANDs replace
# the README's.  Needs the network for apt and takes minutes: not a part of
# `test //...`.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..
repository=$(readlink -f "$here")

if (($# < 1)) || [[ $1 == -* ]] || ((EUID != 0)); then
  sed -n '2,/^set/{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root=$(readlink -m "$1")
shift

. "$here/tools/bare_machine.sh"
own_mounts "${BASH_SOURCE[0]}" "$root" "$@"

commands=("$@")
if ((!${#commands[@]})); then
  mapfile -t commands < <(
    sed -n '/^```sh/,/^```/{/^\.\/bazelw/p}' "$repository/README.md" | head -n 2
  )
fi
((${#commands[@]})) || { echo "README.md names no commands" >&2; exit 1; }

bare_root "$root"

rm -rf "$root/srv/syncline"
git clone -q --no-hardlinks "$repository" "$root/srv/syncline"

inside_folder=/srv/syncline

status=0
report=("packages before: $(installed_packages)")
for command in "${commands[@]}"; do
  echo "=== $command"
  start=$SECONDS code=0
  inside "$command" || code=$?
  ((!code)) || status=1
  report+=("$((SECONDS - start)) s, exit status $code: $command")
done
inside "bazel shutdown" >/dev/null 2>&1 || true
report+=("packages after: $(installed_packages)")
report+=("root file system: $(du -sxh "$root" | cut -f1)")
printf '%s\n' "=== bare machine" "${report[@]}"
exit "$status"
