# The Debian packages that the project uses, and how they get installed.
#
# Sourced by bazelw, by setup and by the tools that need an optional package,
# so that each package is named in one place only.  A check costs one run of
# dpkg-query (about 10 ms) and nothing is started when nothing is missing.
#
#   install_missing WHY PACKAGE...   returns 0 once all of them are installed,
#                                    otherwise says what to do and returns 1

# What `bazel build //...` needs.  --no-install-recommends: see install_missing.
core_packages=(
  bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto
  bazel-skylib g++ mold python3
  libabsl-dev libprotobuf-dev protobuf-compiler
  libgoogle-glog-dev libgflags-dev libeigen3-dev
  libgtest-dev libgmock-dev libbenchmark-dev libsqlite3-dev
  nlohmann-json3-dev
)

# Optional: targets that need these are skipped if they are missing.
opencv_packages=(libopencv-dev opencv-data)
gstreamer_packages=(
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev gstreamer1.0-plugins-base
)
tbb_packages=(libtbb-dev)
re2_packages=(libre2-dev)
sndfile_packages=(libsndfile1-dev)
dlpack_packages=(libdlpack-dev)
page_packages=(libmicrohttpd-dev)

# Optional: building against an installation (docs/installing.md).
cmake_packages=(cmake make pkg-config)

# What the headers of an installation include: with them the headers are of use
# (docs/installing.md). Of core_packages.
# shellcheck disable=SC2034  # tools/package reads it.
header_packages=(
  libabsl-dev libprotobuf-dev protobuf-compiler libgoogle-glog-dev libeigen3-dev
)

# Optional: Debian packages of Syncline (tools/package), and what checks them.
package_packages=(dpkg-dev binutils)
package_check_packages=(lintian man-db)

# Optional: tools/import_gxf.
yaml_packages=(python3-yaml)

# Optional: pictures of graphs as SVG (docs/pictures.md).
graphviz_packages=(graphviz)

# Optional: the tests of pages.
chromium_packages=(chromium chromium-driver)

# Optional: analysis and formatting.
clang_packages=(clang-14 libclang-rt-14-dev clang-tidy-14 clang-format-14)

say() { printf 'syncline: %s\n' "$*" >&2; }

# Prints those of its arguments that are not installed, as dpkg says.
missing_packages() {
  local known line package
  known=$(dpkg-query --show \
    --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null) || true
  for package in "$@"; do
    [[ $'\n'$known$'\n' == *$'\n'"$package installed"$'\n'* ]] ||
      printf '%s ' "$package"
  done
}

# The distribution's own name, for messages.
distribution() {
  local PRETTY_NAME="an unknown system"
  # shellcheck disable=SC1091
  [[ ! -r /etc/os-release ]] || . /etc/os-release
  printf '%s' "$PRETTY_NAME"
}

install_missing() {
  local why=$1
  shift
  [[ ${SYNCLINE_SKIP_PACKAGES:-} != 1 ]] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is $(distribution), without dpkg and apt."
    say "Syncline is built on Debian 12. To try elsewhere, install what these"
    say "Debian packages hold and set SYNCLINE_SKIP_PACKAGES=1: $*"
    return 1
  fi
  local missing
  read -r -a missing <<<"$(missing_packages "$@")"
  ((${#missing[@]})) || return 0

  say "$why; not installed yet: ${missing[*]}"
  local -a as_root=()
  if (($(id -u) != 0)); then
    if ! command -v sudo >/dev/null; then
      say "installing needs root, and there is no sudo here. As root, run:"
      say "  apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing them with apt${as_root[0]:+ through sudo}" \
    "(the first time takes a minute or two)"
  run_apt "${missing[@]}"
}

# Prints the lines of a log that say that another program is waited for, each
# once, until that program has ended.
show_waits() {
  local log=$1 line told=
  while kill -0 $$ 2>/dev/null; do
    while IFS= read -r line; do
      [[ ${line,,} == *"waiting for"* && $told != *"$line"* ]] || continue
      told+=$line
      say "$line"
    done <"$log"
    # It outlives this function, and would keep a pipe open that is ours.
    sleep 0.5 >/dev/null 2>&1
  done
}

# Runs a command with its output in a log.
run_logged() {
  local log=$1 watcher code=0
  shift
  show_waits "$log" &
  watcher=$!
  "$@" >>"$log" 2>&1 </dev/null || code=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  return $code
}

# Installs "$@". apt's output is shown if apt fails, or waits for another
# program that installs packages.
run_apt() {
  local log code=0
  log=$(mktemp "${TMPDIR:-/tmp}/syncline-apt.XXXXXX") || return 1
  local -a apt=(
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0
  )
  # apt-get update may fail for a source that is not needed, so its failure is
  # no error.
  run_logged "$log" "${apt[@]}" update ||
    say "apt-get update reported errors; going on with what it has"
  run_logged "$log" "${apt[@]}" install --no-install-recommends "$@" || code=$?
  if ((code)); then
    tail -n 15 "$log" >&2
    say "apt-get install failed with status $code on $(distribution)."
    say "The whole output is in $log. Check the network and /etc/apt (these are"
    say "the names of Debian 12's packages), then run the same command again."
    return 1
  fi
  : >"$log"
  rediscover "$log"
  rm -f "$log"
}

# Bazel looks for the packages of the machine once for each server, so it has to
# look again. If another command of the server runs in this checkout, Bazel
# waits for it, and says so.
rediscover() {
  local here=${BASH_SOURCE[0]%/*}
  command -v bazel >/dev/null || return 0
  say "telling Bazel to look at the machine again (bazel sync --configure)"
  (cd "$here/.." && run_logged "$1" bazel sync --configure) || true
}
