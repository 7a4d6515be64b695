#!/bin/bash
# The README's recipe for a graph of one's own, done as it stands there.
#
#   tools/recipe.sh --build
#
# in a checkout: copies the example, runs it, changes a class, runs and tests
# it, and removes the copy. This takes Bazel, so it is no part of `test //...`:
# the test there gives the arguments README EXAMPLE..., runs the recipe's lines
# but for Bazel's in a folder of its own, and looks at what they leave.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# The lines of the first shell block of the README's section.
recipe() {
  sed -n '/^## A calculator of your own/,/^## /p' "$1" |
    sed -n '/^```sh$/,/^```$/{/^```/d; p}'
}

# Nothing of the old name is left, in names or inside.
check_copy() {
  local left
  left=$(find examples/my_graph -name '*hello_graph*')
  [[ -z $left ]] || fail "still has the old name: $left"
  left=$(grep -l hello_graph examples/my_graph/* || true)
  [[ -z $left ]] || fail "still says the old name: $left"
}

if [[ ${1:-} == --build ]]; then
  cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
  [[ ! -e examples/my_graph ]] || fail "there is an examples/my_graph already"
  output=$(mktemp)
  trap 'rm -rf examples/my_graph "$output"' EXIT
  eval "$(recipe README.md)" >"$output" || fail "the recipe"
  grep -qx "three squared is 9" "$output" || fail "the copy prints: $(<"$output")"
  check_copy
  sed -i 's/ squared is / times itself is /' examples/my_graph/hello_calculators.cc
  ./bazelw run //examples/my_graph >"$output" || fail "the changed copy does not run"
  grep -qx "three times itself is 9" "$output" || fail "the change is not seen"
  ./bazelw test //examples/my_graph:all || fail "the tests of the changed copy"
  echo "the README's recipe works"
  exit
fi

readme=$(readlink -f "$1")
program=$(readlink -f "$2")
shift 2
folder=$(mktemp -d "$TEST_TMPDIR/recipe.XXXXXX")
mkdir -p "$folder/examples/hello_graph"
for file in "$@"; do cp -L "$file" "$folder/examples/hello_graph"; done
cd "$folder"
lines=$(recipe "$readme")
[[ $(grep -c . <<<"$lines") -ge 4 ]] || fail "no recipe in $readme"
grep -q '^\./bazelw run //examples/my_graph$' <<<"$lines" || fail "nothing is run"
eval "$(grep -v '^\./bazelw' <<<"$lines")"
check_copy
# Each file that the copied BUILD names is there, and none is a golden file of
# the old graph: that would fail with the first change of a class.
while IFS= read -r file; do
  [[ -e examples/my_graph/$file ]] || fail "BUILD names $file, which is not there"
done < <(grep -oE '"[a-z_]+\.[a-z]+"' examples/my_graph/BUILD | tr -d '"')
! grep -q replay_test examples/my_graph/BUILD || fail "a golden file is copied"
"$program" --graph=examples/my_graph/my_graph.pbtxt >out
grep -qx "three squared is 9" out || fail "the copied graph prints: $(<out)"
echo "the README's recipe works"
