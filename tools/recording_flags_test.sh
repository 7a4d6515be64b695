#!/bin/bash
# recording_flags_test.sh RUN_GRAPH: what run_graph promises of --record and
# --replay.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"

# run ARGS...: leaves the exit status in $status and the streams in two files.
run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" <"${input:-/dev/null}"
  status=$?
}

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "words"
input_stream: "tick"
output_stream: "gated"
node {
  calculator: "PacketClonerCalculator"
  input_stream: "words"
  input_stream: "TICK:tick"
  output_stream: "gated"
}
END
for i in $(seq 20); do echo "$((i * 10)) word$i"; done >"$dir/words.txt"
for i in $(seq 10); do echo "$((i * 20 + 5)) t"; done >"$dir/tick.txt"
inputs=(--input=words="$dir/words.txt" --input=tick="$dir/tick.txt")

run --graph="$dir/graph.pbtxt" "${inputs[@]}" --record="$dir/a.syncline" \
  --record_streams='*' --output=gated="$dir/gated.txt"
expect "a run is recorded" exits 0
expect "the summary says so" says err "recorded 40 packets of 3 streams"
if command -v sqlite3 >/dev/null; then
  sqlite3 "$dir/a.syncline" \
    'SELECT count(*), max(bytes) FROM stream_words' >"$dir/out"
  expect "sqlite3 opens it" says out "20|6"
fi
run --graph="$dir/graph.pbtxt" "${inputs[@]}" --record="$dir/a.syncline"
expect "a recording is not overwritten" exits 1
expect "the text says what to do" says err "choose another name"

run --replay="$dir/a.syncline" --check
expect "the recorded graph does the same again" exits 0
expect "the summary says how many packets" says err "10 packets are the same"
run --replay="$dir/a.syncline" --graph="$dir/graph.pbtxt" --output=gated=-
expect "a replay has outputs" exits 0
expect "they are those of the run" cmp -s "$dir/out" "$dir/gated.txt"
run --replay="$dir/a.syncline" --from=100 --to=125 --output=gated=-
expect "a part is played" exits 0
expect "and no more" test "$(wc -l <"$dir/out")" -eq 2

cat >"$dir/other.pbtxt" <<'END'
input_stream: "words"
input_stream: "tick"
node {
  calculator: "PassThroughCalculator"
  input_stream: "tick"
  output_stream: "gated"
}
END
run --replay="$dir/a.syncline" --graph="$dir/other.pbtxt" --check
expect "a graph that does something else exits with 1" exits 1
expect "the first difference is named" says err \
  'stream "gated" differs from the recording at its packet 1, timestamp 25'
expect "with the recorded value" says err '25  "word2"'
expect "and that of now" says err '25  "t"'

echo 'input_stream: "elsewhere"' >"$dir/third.pbtxt"
run --replay="$dir/a.syncline" --graph="$dir/third.pbtxt"
expect "a graph with other inputs exits with 1" exits 1
expect "they are named" says err '"elsewhere"'

printf '\n\n' >"$dir/two_lines"
input=$dir/two_lines run --replay="$dir/a.syncline" --step
expect "stepping ends with its input" exits 0
expect "it shows packets" says err 'words 10 "word1"'
expect "one for each line" test "$(grep -c '^[a-z]* [0-9]* "' "$dir/err")" -eq 3

run --replay="$dir/a.syncline" --speed=1000 --check
expect "a replay keeps its own pace" exits 0

run --replay="$dir/nowhere"
expect "a recording that is not there exits with 1" exits 1
head -c 3000 "$dir/a.syncline" >"$dir/cut.syncline"
run --replay="$dir/cut.syncline"
expect "a damaged one exits with 1" exits 1
expect "it is named" says err "cut.syncline"
run --replay="$dir/graph.pbtxt"
expect "another file exits with 1 or 2" test "$status" -ge 1
expect "it is no recording" says err "no recording"
run --graph="$dir/graph.pbtxt" "${inputs[@]}" --speed=2
expect "--speed without --replay is a usage error" exits 2
run --graph="$dir/graph.pbtxt" "${inputs[@]}" --record="$dir/b.syncline" \
  --record_streams=nothing
expect "an unknown stream exits with 1" exits 1
expect "it is named" says err '"nothing"'
run --replay="$dir/a.syncline" --from=soon
expect "a bad timestamp is a usage error" exits 2
finish_test
