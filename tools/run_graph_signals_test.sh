#!/bin/bash
# run_graph_signals_test.sh HELLO_GRAPH RUN_GRAPH RAISES_QUIT: Ctrl-C and SIGTERM end a run
# in good order: nodes are closed, files end with a whole line, the summary is
# printed and the exit status says which signal it was. A second signal ends a
# run that does not end.
set -uo pipefail
hello_graph=$1
run_graph=$2
raises_quit=$3
source "$(dirname "$0")/expect.sh"

ends_with_a_line() { [[ -s $1 && -z $(tail -c 1 "$1") ]]; }

# start PROGRAM ARGS...: in the background, its process in $pid. Shells have
# their background jobs ignore SIGINT.
start() {
  env --default-signal=INT,TERM,QUIT "$@" >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
}

# until_true CONDITION...: false after 20 seconds or more.
until_true() {
  for _ in $(seq 200); do
    "$@" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}

finish() {
  wait "$pid"
  status=$?
}

# --- A source that has no end, as far as a test can tell.
cat >"$dir/endless.pbtxt" <<'END'
node {
  calculator: "CountToCalculator"
  output_stream: "ticks"
  node_options {
    [type.googleapis.com/syncline.CountToCalculatorOptions] { last: 2147483647 }
  }
}
END
endless=("$hello_graph" --graph="$dir/endless.pbtxt")

for signal in INT:130 TERM:143; do
  rm -f "$dir/ticks.txt"
  start "${endless[@]}" --output=ticks="$dir/ticks.txt"
  expect "the endless graph runs" until_true test -s "$dir/ticks.txt"
  kill -"${signal%:*}" "$pid"
  finish
  expect "SIG${signal%:*} makes the exit status ${signal#*:}" exits "${signal#*:}"
  expect "it says that it was interrupted" says err "run_graph: interrupted"
  expect "it sums up" grep -qE \
    '^run_graph: 1 node sent [0-9]+ packets in .*, interrupted$' "$dir/err"
  expect "it is no error" test "$(grep '^run_graph:' "$dir/err" |
    grep -vc ': latency \|: busiest nodes\|: these times')" -eq 2
  expect "the file ends with a whole line" ends_with_a_line "$dir/ticks.txt"
  sent=$(sed -n 's/^run_graph: 1 node sent \([0-9]*\) packets.*/\1/p' "$dir/err")
  expect "and holds all that was sent" test "$(wc -l <"$dir/ticks.txt")" -eq "${sent:-0}"
done

# Asked while it goes on.
rm -f "$dir/ticks.txt"
start "${endless[@]}" --output=ticks="$dir/ticks.txt"
until_true test -s "$dir/ticks.txt"
kill -QUIT "$pid"
expect "Ctrl-\\ says that a run goes on" until_true says err \
  "run_graph: The run goes on. What waits at this moment"
kill -INT "$pid"
finish
expect "and it goes on until it is interrupted" exits 130

# The first signals of a terminal, or of `timeout`, may be two.
rm -f "$dir/ticks.txt"
start "${endless[@]}" --output=ticks="$dir/ticks.txt"
until_true test -s "$dir/ticks.txt"
kill -INT "$pid" && kill -INT "$pid" 2>/dev/null
finish
expect "the same signal twice at once counts as one" exits 130
expect "the file ends with a whole line then, too" ends_with_a_line "$dir/ticks.txt"

# --- A pipe that nobody writes to.
cat >"$dir/pass.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
mkfifo "$dir/pipe"
start "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/pipe" --output=out="$dir/out.txt" \
  --record="$dir/a.syncline" --record_streams='*'
exec 3>"$dir/pipe"
# More than the buffers on the way, so that some of it is seen to arrive.
seq 1 20000 | sed 's/$/ x/' >&3
expect "packets pass" until_true test -s "$dir/out.txt"
kill -INT "$pid"
finish
expect "a run that waits for input is interrupted" exits 130
expect "what it has written ends with a whole line" ends_with_a_line "$dir/out.txt"
exec 3>&-
# Some of what came in may not have come out.
start "$run_graph" --replay="$dir/a.syncline" --check
finish
expect "the recording of it is replayed, and is no other" exits 0
expect "it says how the run ended" says err "CANCELLED: the run was interrupted"

# --- A run that cannot go on: its output is read by nobody.
mkfifo "$dir/sink"
start "${endless[@]}" --output=ticks="$dir/sink"
exec 3<>"$dir/sink"
# It waits once the pipe is full, and then writes no more.
written() { sed -n 's/^wchar: //p' "/proc/$pid/io"; }
is_full() {
  local before
  before=$(written)
  sleep 0.5
  [[ $before -gt 8000 && $before -eq $(written) ]]
}
expect "the run is blocked" until_true is_full
kill -INT "$pid"
expect "the first signal is heard" until_true says err "a second signal"
sleep 0.3
kill -INT "$pid"
finish
expect "the second ends the process" exits 130
expect "at once" test "$(grep -c ', interrupted$' "$dir/err")" -eq 0
expect "after it was said what held it up" says err "\"CountToCalculator\" \
is sending stream \"ticks\" to --output=ticks=$dir/sink, which takes \
nothing more"
exec 3>&-

# --- Ctrl-\ before main(). The libraries of sanitizers have to be the first.
if ! ldd "$run_graph" | grep -qE 'lib(a|t|ub)san'; then
  echo "7 hello" >"$dir/one.txt"
  env --default-signal=QUIT LD_PRELOAD="$raises_quit" "$run_graph" \
    --graph="$dir/pass.pbtxt" --input=in="$dir/one.txt" >"$dir/out" 2>"$dir/err"
  status=$?
  expect "Ctrl-\\ before main() does not end the program" exits 0
  expect "and is answered" says err \
    "run_graph: The run has not begun: the graph is read first."
fi

finish_test
