#!/bin/bash
# bazelw and setup on machines that this one is not: without packages, without
# root, without sudo, without apt.  Everything that they call is a stand-in that
# writes down its arguments; nothing is installed and no Bazel runs.
set -uo pipefail

checkout=$TEST_TMPDIR/checkout
mkdir -p "$checkout/third_party"
cp bazelw setup WORKSPACE "$checkout"
cp third_party/packages.sh "$checkout/third_party"

failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED %s: %s\n--- output\n%s\n--- calls\n%s\n' \
    "$test" "$1" "$output" "$(<"$calls")"
}
prints() { [[ $output == *"$1"* ]] || fail "does not print: $1"; }
calls() { [[ $(<"$calls") == *"$1"* ]] || fail "does not call: $1"; }
calls_no() { [[ $(<"$calls") != *"$1"* ]] || fail "calls: $1"; }
exits() { ((code == $1)) || fail "exit status is $code, not $1"; }

# machine NAME PROGRAM...: an empty machine with stand-ins for these.
machine() {
  test=$1
  shift
  bin=$TEST_TMPDIR/$test
  calls=$bin/calls
  mkdir "$bin"
  : >"$calls"
  local program
  for program in bash cat env find mkdir mktemp readlink rm sleep tail; do
    ln -s "$(command -v "$program")" "$bin/$program"
  done
  for program in "$@"; do
    printf '#!/bin/bash\necho "%s $*" >>"%s"\n' "$program" "$calls" \
      >"$bin/$program"
    chmod a+rx "$bin/$program"
  done
  installed
  user 0
}
# user NUMBER: who runs what follows.
user() {
  printf '#!/bin/bash\necho %d\n' "$1" >"$bin/id"
  chmod a+rx "$bin/id"
}
# installed PACKAGE...: all that dpkg knows of; "all" means whatever is asked.
installed() {
  if [[ ${1:-} == all ]]; then
    echo 'for p in "$@"; do echo "$p installed"; done' >"$bin/dpkg-body"
  else
    printf 'echo "%s installed"\n' "$@" >"$bin/dpkg-body"
    echo 'exit 1' >>"$bin/dpkg-body"
  fi
  [[ ! -e $bin/dpkg-query ]] ||
    { echo '#!/bin/bash'; cat "$bin/dpkg-body"; } >"$bin/dpkg-query"
}
run() {
  (cd "$checkout" && exec env -i PATH="$bin" HOME="$bin/home" \
    TMPDIR="$bin" "${settings[@]}" "$@") >"$bin/output" 2>&1 </dev/null
  code=$?
  output=$(<"$bin/output")
}
settings=()

machine nothing_is_missing bazel dpkg-query apt-get
installed all
run ./bazelw test //... --disk_cache=mine
exits 0
calls "bazel test --disk_cache=$bin/home/.cache/syncline/bazel //... --disk_cache=mine"
calls_no apt-get

machine startup_options_come_before_the_command bazel dpkg-query apt-get
installed all
run ./bazelw --batch --output_base /x build //a -- b
calls "bazel --batch --output_base /x build --disk_cache=$bin/home/.cache/syncline/bazel //a -- b"
run ./bazelw query //test
calls "bazel query //test"

machine the_cache_can_be_moved_or_left_out bazel dpkg-query apt-get
installed all
settings=(SYNCLINE_DISK_CACHE=/elsewhere)
run ./bazelw build //a
calls "bazel build --disk_cache=/elsewhere //a"
settings=(SYNCLINE_DISK_CACHE=)
run ./bazelw build //b
calls "bazel build //b"
settings=()
mkdir -p "$bin/home"
echo "build --remote_cache=grpc://host" >"$bin/home/.bazelrc"
run ./bazelw build //c
calls "bazel build //c"

machine the_cache_keeps_what_was_read_last bazel dpkg-query apt-get
installed all
for program in awk sort touch tr xargs; do
  ln -s "$(command -v "$program")" "$bin/$program"
done
settings=(SYNCLINE_DISK_CACHE="$bin/cache" SYNCLINE_DISK_CACHE_GB=1)
mkdir -p "$bin/cache/cas"
for age in 1 2 3; do
  truncate -s 400M "$bin/cache/cas/read ${age} days ago"
  touch -a -d "$age days ago" "$bin/cache/cas/read ${age} days ago"
done
run ./bazelw build //a
for ((wait = 0; wait < 100; wait++)); do
  [[ -e "$bin/cache/cas/read 3 days ago" ]] || break
  sleep 0.1
done
[[ ! -e "$bin/cache/cas/read 3 days ago" ]] || fail "keeps too much"
[[ -e "$bin/cache/cas/read 2 days ago" ]] || fail "keeps too little"
[[ -s $bin/cache/last_trim ]] || fail "forgets when it trimmed"
truncate -s 800M "$bin/cache/cas/new"
run ./bazelw build //a
sleep 0.3
[[ -e "$bin/cache/cas/read 2 days ago" ]] || fail "trims twice in an hour"
settings=()

machine missing_packages_are_installed bazel dpkg-query apt-get
installed g++ python3
run ./bazelw test //...
exits 0
prints "building Syncline; not installed yet: bazel-bootstrap"
calls "apt-get -q -y"
calls "install --no-install-recommends bazel-bootstrap"
calls_no "g++"
calls "bazel test"

machine clang_comes_with_the_configuration_that_needs_it \
  bazel dpkg-query apt-get sudo
installed g++
run ./bazelw test --config=thread_safety //...
prints "clang-14"
run ./bazelw test --config ubsan-clang //...
prints "with --config=ubsan-clang"
prints "clang-14"
run ./bazelw test --config=asan //...
[[ $output != *clang-14* ]] || fail "asks for clang under asan"
run ./bazelw run //a -- --config
exits 0
run ./bazelw run //a -- --config clang
[[ $output != *clang-14* ]] || fail "takes a program's arguments for its own"

machine apt_fails bazel dpkg-query sudo
cat >"$bin/apt-get" <<'TEXT'
#!/bin/bash
echo "E: Unable to locate package bazel-bootstrap"
exit 100
TEXT
chmod a+rx "$bin/apt-get"
run ./bazelw test //...
exits 1
prints "E: Unable to locate package bazel-bootstrap"
prints "apt-get install failed with status 100 on"
calls_no "bazel test"

# What is said while these wait is looked for without the usual pauses.
machine what_is_waited_for_is_told dpkg-query
installed g++
pause=$(command -v sleep)
rm "$bin/sleep"
printf '#!/bin/bash\nexec "%s" 0.02\n' "$pause" >"$bin/sleep"
# Ends once the text was told, and there was time to tell it again.
cat >"$bin/until_told" <<TEXT
#!/bin/bash
for ((i = 0; i < 500; i++)); do
  [[ \$(<"$bin/output") != *"\$1"* ]] || break
  sleep
done
for ((i = 0; i < 5; i++)); do sleep; done
TEXT
cat >"$bin/apt-get" <<'TEXT'
#!/bin/bash
[[ "$*" != *" install "* ]] || {
  echo "Waiting for cache lock: Could not get lock. It is held by process 42 (apt)"
  until_told "process 42"
}
TEXT
cat >"$bin/bazel" <<'TEXT'
#!/bin/bash
[[ $1 != sync ]] || {
  echo "Another command (pid=43) is running. Waiting for it to complete..." >&2
  until_told "pid=43"
}
TEXT
chmod a+rx "$bin/sleep" "$bin/until_told"
chmod a+rx "$bin/apt-get" "$bin/bazel"
run ./setup
exits 0
prints "It is held by process 42 (apt)"
prints "telling Bazel to look at the machine again"
prints "Another command (pid=43) is running. Waiting for it to complete..."
[[ $output != *"process 42"*"process 42"* ]] || fail "says it twice"

machine a_user_without_sudo bazel dpkg-query apt-get
user 1000
run ./bazelw test //...
exits 1
prints "there is no sudo here. As root, run:"
prints "apt-get install --no-install-recommends bazel-bootstrap"
calls_no bazel

machine a_user_with_sudo bazel dpkg-query apt-get sudo
user 1000
run ./bazelw test //...
exits 0
prints "with apt through sudo"
calls "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
calls "bazel test"

machine not_debian bazel
run ./bazelw test //...
exits 1
prints "without dpkg and apt"
prints "SYNCLINE_SKIP_PACKAGES=1"
calls_no bazel
settings=(SYNCLINE_SKIP_PACKAGES=1)
run ./bazelw test //...
exits 0
calls "bazel test"
settings=()

machine setup_installs_what_is_named bazel dpkg-query apt-get sudo
installed g++
run ./setup --tbb --opencv
prints "libtbb-dev"
prints "libopencv-dev"
[[ $output != *gstreamer* ]] || fail "installs gstreamer"
run ./setup --all
for package in libgstreamer1.0-dev libopencv-dev libtbb-dev libre2-dev libsndfile1-dev \
  libdlpack-dev lintian clang-tidy-14; do
  prints "$package"
done
run ./setup --help
exits 0
prints "usage: ./setup"
run ./setup --nonsense
exits 2
prints 'unknown option "--nonsense"'

((failures == 0)) && echo "all passed"
exit $((failures > 0))
