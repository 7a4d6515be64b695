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

# What is mounted below is seen by this process only and goes when it ends.
if [[ ${SYNCLINE_OWN_MOUNTS:-} != 1 ]]; then
  SYNCLINE_OWN_MOUNTS=1 exec unshare --mount --propagation private \
    "${BASH_SOURCE[0]}" "$root" "$@"
fi

commands=("$@")
if ((!${#commands[@]})); then
  mapfile -t commands < <(
    sed -n '/^```sh/,/^```/{/^\.\/bazelw/p}' "$repository/README.md" | head -n 2
  )
fi
((${#commands[@]})) || { echo "README.md names no commands" >&2; exit 1; }

if [[ ! -e $root/etc/debian_version ]]; then
  command -v debootstrap >/dev/null ||
    apt-get install -y -qq --no-install-recommends debootstrap
  echo "=== debootstrap into $root"
  debootstrap --variant=minbase bookworm "$root" >"$root.log"
fi

# The same package sources and name servers as out here.
rm -f "$root/etc/apt/sources.list"
for file in /etc/resolv.conf /etc/hosts /etc/apt/sources.list \
  /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d/*proxy*; do
  [[ ! -e $file ]] || cp --dereference "$file" "$root$file"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

rm -rf "$root/srv/syncline"
git clone -q --no-hardlinks "$repository" "$root/srv/syncline"

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /bin/bash -c "cd /srv/syncline && $1" </dev/null
}
packages() { inside "dpkg-query --show | wc -l"; }

status=0
report=("packages before: $(packages)")
for command in "${commands[@]}"; do
  echo "=== $command"
  start=$SECONDS code=0
  inside "$command" || code=$?
  ((!code)) || status=1
  report+=("$((SECONDS - start)) s, exit status $code: $command")
done
inside "bazel shutdown" >/dev/null 2>&1 || true
report+=("packages after: $(packages)")
report+=("root file system: $(du -sxh "$root" | cut -f1)")
printf '%s\n' "=== bare machine" "${report[@]}"
exit "$status"
