#!/bin/bash
# Proves that the packages do on a bare Debian 12, without Bazel:
#
#   tools/package/bare_install_test.sh DIR PACKAGES     as root
#
# PACKAGES is a folder of `./bazelw run //tools:package -- --out=PACKAGES`; DIR
# holds a minimal root file system, or gets one. Installs PACKAGES/*.deb there,
# runs a first graph, builds a program with its own calculator by CMake and by
# pkg-config, looks at the page of a run and at CUDA's plug-in, and removes the
# packages again. Prints the seconds of each step beside those of downloads.
# Fails if one fails, if those from the installation to the programs together
# take longer than SYNCLINE_BARE_SECONDS (default 20), or if any file is left.
# Needs the network for apt: not a part of `test //...`.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

if (($# != 2)) || [[ $1 == -* || ! -d $2 ]] || ((EUID != 0)); then
  sed -n '2,/^set/{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root=$(readlink -m "$1")
packages=$(readlink -f "$2")
. "$here/../bare_machine.sh"
. "$here/../../third_party/packages.sh"
own_mounts "${BASH_SOURCE[0]}" "$root" "$packages"
bare_root "$root"

# All of the test lies here, and goes with it.
inside_folder=/srv/bare_install
rm -rf "${root:?}$inside_folder"
mkdir -p "$root$inside_folder"
cp "$packages"/*.deb "$here"/sample/* "$root$inside_folder"
names=$(for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Package; done | tr '\n' ' ')
apt="DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0"

status=0 total=0 total_used=0
report=()
# seconds MILLISECONDS
seconds() { printf '%d.%03d s' $(($1 / 1000)) $(($1 % 1000)); }
# step WHAT COMMAND: counts its time, and that of processors, which says more
# where others work on the machine, too.
step() {
  local start=${EPOCHREALTIME/./} code=0 used
  local TIMEFORMAT='%3U %3S'
  used=$({ time inside "$2" >"$root$inside_folder/log" 2>&1; } 2>&1) || code=$?
  took_ms=$(((${EPOCHREALTIME/./} - start) / 1000))
  used=${used//./}
  used_ms=$((10#${used% *} + 10#${used#* }))
  ((!code)) || { status=1; tail -n 20 "$root$inside_folder/log"; }
  report+=("$(seconds "$took_ms"), $(seconds "$used_ms") of processors, exit status $code: $1")
}
counted_step() {
  step "$@"
  total=$((total + took_ms)) total_used=$((total_used + used_ms))
}

# Every file but those of apt, dpkg and the test itself.
files() {
  inside "find / -xdev \( -path /srv -o -path /proc -o -path /dev -o -path /var/cache \
    -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log -o -path /tmp \) -prune \
    -o -print | sort"
}

step "apt-get update" "$apt update"
step "download of compilers, CMake and pkg-config" \
  "$apt install --download-only g++ ${cmake_packages[*]}"
step "their installation" "$apt install g++ ${cmake_packages[*]}"
step "download of what the packages need" "$apt install --download-only ./*.deb"
files >"$root$inside_folder/before"
before=$(installed_packages)
counted_step "apt install ./*.deb" "$apt install ./*.deb"
counted_step "a first graph" "echo '3 x' >in.txt &&
  run_graph --graph=first.pbtxt --input=in=in.txt --output=out=out.txt && grep -x '3 x' out.txt"
counted_step "a program, by CMake" "cmake -S . -B build && cmake --build build &&
  build/hello cmake | grep 'hello cmake'"
counted_step "a program, by pkg-config" \
  "g++ hello.cc \$(pkg-config --cflags --libs syncline_calculators) -o hello &&
  ./hello pkg-config | grep 'hello pkg-config'"
report+=("packages: $before, then $(installed_packages)")
step "the page of a run" "run_graph --graph=first.pbtxt --input=in=in.txt --page 2>&1 |
  grep 'the page of the run is at http://127.0.0.1:'"
if compgen -G "$packages/optional/syncline-plugin-cuda_*.deb" >/dev/null; then
  step "no CUDA before its package" "run_graph --version | grep 'install the package syncline-plugin-cuda'"
  cp "$packages"/optional/syncline-plugin-cuda_*.deb "$root$inside_folder/cuda.deb"
  step "CUDA's plug-in" "$apt install ./cuda.deb && ! run_graph --version | grep 'built without'"
  names+=" syncline-plugin-cuda"
fi
step "apt purge" "$apt purge --autoremove $names"
if files | comm -13 "$root$inside_folder/before" - | grep .; then
  echo "these files are left"
  status=1
fi
limit=${SYNCLINE_BARE_SECONDS:-20}
report+=("$(seconds "$total") for the packages, a graph and two programs, $(seconds \
  "$total_used") of processors; the limit is $limit s")
((total <= limit * 1000)) || status=1
printf '%s\n' "=== bare machine" "${report[@]}"
exit "$status"
