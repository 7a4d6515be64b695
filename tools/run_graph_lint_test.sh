#!/bin/bash
# run_graph_lint_test.sh RUN_GRAPH: what run_graph --check --lint promises: exit
# status, what goes to which stream, and that comments silence findings.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"

# run ARGS...: leaves the exit status in $status and the streams in two files.
run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

# The loop of the page on linting: nothing starts it.
cat >"$dir/loop.pbtxt" <<'END'
input_stream: "in"
output_stream: "out"
node {
  name: "join"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  input_stream: "loop"
  input_stream_info { tag_index: ":1" back_edge: true }
  output_stream: "out"
  output_stream: "loop"
}
END
run --graph="$dir/loop.pbtxt" --check --lint
expect "a finding exits with 1" exits 1
expect "it has file and line, and its rule" grep -q \
  "^$dir/loop.pbtxt:3: warning: \"join\" waits for stream \"loop\".*\[back-edge-without-start\]$" \
  "$dir/out"
expect "it has a remedy" grep -q "^  remedy: Start the loop: " "$dir/out"
expect "a finding is two lines" test "$(wc -l <"$dir/out")" -eq 2
expect "findings say nothing on standard error" silent err

run --graph="$dir/loop.pbtxt" --check
expect "without --lint the graph is good" exits 0
expect "and its plan is printed" says out "plan: "

sed 's/^node {$/& # NOLINT(back-edge-without-start)/' "$dir/loop.pbtxt" \
  >"$dir/silenced.pbtxt"
run --graph="$dir/silenced.pbtxt" --check --lint
expect "a comment silences the finding" exits 0
expect "then nothing is printed" silent out
expect "and standard error says so" test \
  "$(cat "$dir/err")" = "run_graph: no findings"

sed 's/^node {$/& # NOLINT(back-edge)/' "$dir/loop.pbtxt" >"$dir/misspelt.pbtxt"
run --graph="$dir/misspelt.pbtxt" --check --lint
expect "a comment with another name does not" exits 1
expect "and is found itself" says out \
  "misspelt.pbtxt:3: warning: NOLINT names the rule \"back-edge\", which is none"

"$run_graph" --graph="$dir/loop.pbtxt" --write_binary="$dir/loop.binarypb"
run --graph="$dir/loop.binarypb" --check --lint
expect "a binary graph has the finding" exits 1
expect "with its file, as it has no lines" \
  grep -qF "$dir/loop.binarypb: warning: \"join\" waits" "$dir/out"

printf 'node { calculator: "Nowhere" }' >"$dir/bad.pbtxt"
run --graph="$dir/bad.pbtxt" --check --lint
expect "a graph with errors exits with 1" exits 1
expect "its errors are on standard error" says err "bad.pbtxt:1"
expect "and not on standard output" silent out

run --graph="$dir/loop.pbtxt" --lint
expect "--lint without --check is a usage error" exits 2
expect "it says what to do" says err "give --check, too"
run --replay="$dir/none.syncline" --check --lint
expect "--lint with --replay is a usage error" exits 2
expect "it says why" says err "give one of them"

for other in --write_binary="$dir/x.binarypb" --explore=3 --list_types \
  --describe=PassThroughCalculator; do
  run --graph="$dir/loop.pbtxt" --check --lint "$other"
  expect "--lint with $other is a usage error" exits 2
done

run --help
expect "--help names the flag" says out "--lint"
run --help=all
expect "--help=all names the flag" says out "--lint "
expect "--help=all names the rules" says out "unsettled-join"

# A name that would command a terminal.
printf 'node { name: "\\033[2J" calculator: "CountingSourceCalculator"\n' \
  >"$dir/escape.pbtxt"
printf 'output_stream: "a" input_side_packet: "MAX_COUNT:n" }' \
  >>"$dir/escape.pbtxt"
run --graph="$dir/escape.pbtxt" --check --lint
expect "such a name is a finding like others" exits 1
expect "without a command to the terminal" \
  test "$(grep -c $'\033' "$dir/out")" -eq 0

finish_test
