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
expect "it says what kind of difference" says err "timestamp 25: another value"
expect "with the recorded value" says err '  rec                    25  "word2"'
expect "and that of now" says err '  now                    25  "t"'
expect "with what fed the graph" says err '                         20  words: "word2"'
expect "of each input" says err '                         25  tick: "t"'

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
expect "another file exits with 1" exits 1
expect "it is no recording" says err "no recording"
run --graph="$dir/graph.pbtxt" "${inputs[@]}" --speed=2
expect "--speed without --replay is a usage error" exits 2
run --graph="$dir/graph.pbtxt" "${inputs[@]}" --record="$dir/b.syncline" \
  --record_streams=nothing
expect "an unknown stream exits with 1" exits 1
expect "it is named" says err '"nothing"'
# --- Flags that make no sense, or not together: exit status 2, and their names.
wrong() { # TEXT ARGS...
  local text=$1
  shift
  run "$@"
  expect "$* is a usage error" exits 2
  expect "it says $text" says err "$text"
}
replay=--replay=$dir/a.syncline
wrong '--from: "soon" is no timestamp' "$replay" --from=soon
wrong '--to: "late" is no timestamp' "$replay" --to=late
wrong '--from=30 lies behind --to=20' "$replay" --from=30 --to=20
wrong '--speed cannot be "fast"' "$replay" --speed=fast
wrong '--speed is a number' "$replay" --speed=-1
wrong '--speed is a number' "$replay" --speed=nan
wrong '--step waits for Enter' "$replay" --step --speed=1
wrong '--input and --replay' "$replay" --input=words="$dir/words.txt"
wrong '--replay goes with one run' "$replay" --explore=3
wrong '--replay goes with one run' "$replay" --list_types
record=(--graph="$dir/graph.pbtxt" --record="$dir/c")
wrong '--record goes with one run' "${record[@]}" --check
wrong '--record goes with one run' "${record[@]}" --write_binary="$dir/d"
wrong '--record_when_full is block or drop' "${record[@]}" --record_when_full=wait
wrong '--record_streams goes with' --graph="$dir/graph.pbtxt" --record_streams=words
wrong '--record_when_full goes with' --graph="$dir/graph.pbtxt" --record_when_full=drop
for flag in record replay record_streams from to graph output plugin; do
  wrong "--$flag is empty: give it a value" --graph="$dir/graph.pbtxt" "${inputs[@]}" --$flag=
done
wrong '--record is empty' --graph="$dir/graph.pbtxt" "${inputs[@]}" --record ''
for flag in --speed=2 --step --from=1 --to=1; do
  wrong "${flag%=*} goes with --replay" --graph="$dir/graph.pbtxt" "${inputs[@]}" "$flag"
done

# --- Progress is for terminals, and not for somebody who presses Enter.
mkfifo "$dir/pipe"
on_terminal() { # ARGS...: with the pipe as standard input, until it is closed
  script -qfec "$(printf '%q ' "$run_graph" "$@")" "$dir/terminal" \
    <"$dir/pipe" >/dev/null 2>&1 &
}
until_seen() {
  for _ in $(seq 200); do
    grep -q "$1" "$dir/terminal" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}
if command -v script >/dev/null; then
  on_terminal "$replay" --step
  exec 3>"$dir/pipe"
  expect "a terminal is shown the first packet" until_seen 'words 10 "word1"'
  # More than the time between two lines of progress.
  sleep 0.7
  expect "no progress is written over it" test -z "$(grep 'packets sent' "$dir/terminal")"
  printf '\n' >&3
  expect "Enter shows the next" until_seen 'words 20 "word2"'
  printf '\004' >&3
  exec 3>&-
  wait $!
  expect "Ctrl-D ends the replay" says terminal "was ended before the recording"
fi
finish_test
