#!/bin/bash
# run_graph_standstill_test.sh RUN_GRAPH: a run that stands still says why, by
# itself, at Ctrl-\ (SIGQUIT) and at Ctrl-C; --explain_after says when.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"

# start ARGS...: in the background, its process in $pid. Shells have their
# background jobs ignore SIGINT and SIGQUIT.
start() {
  env --default-signal=INT,QUIT,TERM "$run_graph" "$@" \
    >"$dir/out" 2>"$dir/err" </dev/null &
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

lines() { grep -cF -- "$1" "$dir/err"; }
says_times() { [[ $(lines "$2") -eq $1 ]]; }

# --- What the README shows.
mkfifo "$dir/imu"
exec 4<>"$dir/imu"
example=examples/standing_graph
start --graph=$example/standing_graph.pbtxt \
  --input=camera=$example/frames.txt --input=imu="$dir/imu"
sentence=$(grep '^run_graph: "pair" waits' README.md)
expect "the README shows a sentence" test -n "$sentence"
expect "and the graph says it" until_true says err "${sentence//\/tmp/$dir}"
expect "as the example shows it" grep -qxF -- "$sentence" $example/README.md
kill -INT "$pid"
finish
exec 4>&-

# --- A pipe that nobody writes.
cat >"$dir/pass.pbtxt" <<'END'
input_stream: "in"
node {
  name: "pass"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
mkfifo "$dir/pipe"
exec 3<>"$dir/pipe"
cause="waits for the end of graph input \"in\", and --input=in=$dir/pipe, which \
sends it, has nothing more so far, and has not ended."

start --graph="$dir/pass.pbtxt" --input=in="$dir/pipe" --output=out="$dir/out.txt"
sleep 0.5
expect "nothing is said within half a second" says_times 0 "$cause"
expect "the pipe is named after a second" until_true says err "$cause"
expect "with what to do" says err "What to do: Write the next packets into it"
expect "and no call that its user does not know" says_times 0 "WaitUntilDone"
sleep 1.5
expect "it is said once" says_times 1 "$cause"
kill -INT "$pid"
finish
expect "Ctrl-C ends the run" exits 130
expect "and says once more what it waited for" says_times 2 "$cause"
expect "before the summary" test \
  "$(grep -n 'has not ended\.' "$dir/err" | tail -1 | cut -d: -f1)" -lt \
  "$(grep -n ', interrupted$' "$dir/err" | cut -d: -f1)"

# --- Ctrl-\, as often as it comes.
start --graph="$dir/pass.pbtxt" --input=in="$dir/pipe" --explain_after=0
sleep 1.5
expect "--explain_after=0 says nothing" says_times 0 "$cause"
kill -QUIT "$pid"
expect "Ctrl-\\ says what the run waits for" until_true says_times 1 "$cause"
kill -QUIT "$pid"
expect "and again" until_true says_times 2 "$cause"
expect "and the run goes on" kill -0 "$pid"
# The run takes packets that come now.
echo "7 hello" >&3
sleep 0.2
kill -INT "$pid"
finish
expect "Ctrl-C ends it then" exits 130
expect "after the packet has passed" says err "sent 1 packet"

# --- Sooner, and in other units.
start --graph="$dir/pass.pbtxt" --input=in="$dir/pipe" --explain_after=200ms
expect "--explain_after=200ms says it, too" until_true says err "$cause"
# A pipe that has given packets may give more, as a camera does.
echo "8 hello" >&3
sleep 1
expect "who has sent before may take its time" says_times 1 "$cause"
kill -TERM "$pid"
finish
expect "SIGTERM ends it" exits 143
exec 3>&-

# --- A join of two files, one of which is shorter than the other.
cat >"$dir/join.pbtxt" <<'END'
input_stream: "a"
input_stream: "b"
node {
  name: "join"
  calculator: "PassThroughCalculator"
  input_stream: "a"
  input_stream: "b"
  output_stream: "c"
  output_stream: "d"
}
END
echo "1500000 x" >"$dir/a.txt"
mkfifo "$dir/b"
exec 3<>"$dir/b"
start --graph="$dir/join.pbtxt" --input=a="$dir/a.txt" --input=b="$dir/b" --explain_after=0.3
expect "the join is named, and who does not feed it" until_true says err \
  "\"join\" waits for stream \"b\" up to 1,500,000, and --input=b=$dir/b, which sends it,"
kill -QUIT "$pid"
expect "Ctrl-\\ says of the node's queue who is behind" until_true says err \
  "to pass 1500000; it comes from --input=b=$dir/b."
expect "and speaks of no application" test "$(lines "the application")" -eq 0
kill -TERM "$pid"
finish
exec 3>&-

# --- A pipe that is open, and whose reader does not read.
mkfifo "$dir/held"
exec 3<>"$dir/held"
seq 1 20000 | sed 's/$/ x/' >"$dir/long.txt"
start --graph="$dir/pass.pbtxt" --input=in="$dir/long.txt" --output=out="$dir/held" \
  --explain_after=0.5
expect "the output is named, and no observer" until_true grep -qE \
  "\"pass\" is sending stream \"out\" to --output=out=$dir/held, which takes \
nothing more, on thread" \
  "$dir/err"
expect "nor a call that its user does not know" says_times 0 "AddPacketToInputStream"
expect "with what to do" says err \
  "What to do: See that somebody reads what goes to --output=out=$dir/held,"
cat "$dir/held" >"$dir/read.txt" 3>&- &
reader=$!
finish
expect "the run goes on once it is read" exits 0
exec 3>&-
wait "$reader"
expect "and has written all" test "$(wc -l <"$dir/read.txt")" -eq 20000

# --- Bad times.
for time in -1 x inf; do
  "$run_graph" --graph="$dir/pass.pbtxt" --input=in=/dev/null \
    --explain_after="$time" >"$dir/out" 2>"$dir/err"
  status=$?
  expect "--explain_after=$time is refused" exits 2
  expect "and named" says err "--explain_after=$time is no time"
done

# --- A run that works says nothing.
seq 1 1000 | sed 's/$/ x/' >"$dir/many.txt"
"$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" \
  --explain_after=1 >"$dir/out" 2>"$dir/err"
status=$?
expect "a run that works ends well" exits 0
expect "and waits for nothing" test "$(lines "waits for")" -eq 0

# --- A flow limiter whose loop does not answer, fed by a pipe that stays open.
cat >"$dir/limiter.pbtxt" <<'END'
input_stream: "in"
node {
  name: "limiter"
  calculator: "FlowLimiterCalculator"
  input_stream: "in"
  input_stream: "FINISHED:out"
  input_stream_info { tag_index: "FINISHED" back_edge: true }
  output_stream: "frames"
}
node {
  name: "shift"
  calculator: "SequenceShiftCalculator"
  input_stream: "frames"
  output_stream: "out"
  options { [syncline.SequenceShiftCalculatorOptions.ext] { packet_offset: -1 } }
}
END
mkfifo "$dir/frames"
exec 3<>"$dir/frames"
cause="\"limiter\" waits for stream \"out\", and \"shift\", which sends it, has \
taken 1 packet, and has sent none on \"out\"."
start --graph="$dir/limiter.pbtxt" --input=in="$dir/frames" --output=out=- \
  --explain_after=0.3
printf '1 a\n2 b\n3 c\n' >&3
expect "the limiter and who does not answer it are named" until_true says err \
  "$cause"
printf '4 d\n' >&3
sleep 1
expect "once, though frames go on coming" says_times 1 "$cause"
kill -TERM "$pid"
finish
exec 3>&-

# --- A graph without threads of its own runs while a pipe is open, too.
cat >"$dir/alone.pbtxt" <<'END'
input_stream: "in"
output_stream: "out"
executor { type: "ApplicationThreadExecutor" }
node {
  name: "pass"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
exec 3<>"$dir/pipe"
cause="waits for the end of graph input \"in\", and --input=in=$dir/pipe, which \
sends it, has nothing more so far, and has not ended."
start --graph="$dir/alone.pbtxt" --input=in="$dir/pipe" \
  --output=out="$dir/alone.txt" --explain_after=0.3
expect "the pipe is named there, too" until_true says err "$cause"
printf '1 a\n2 b\n3 c\n' >&3
sleep 1
kill -INT "$pid"
finish
expect "Ctrl-C ends the run" exits 130
expect "in which what came has gone through" test \
  "$(cat "$dir/alone.txt")" = $'1 a\n2 b\n3 c'
exec 3>&-

# --- Ctrl-\ while the graph is read.
# A graph of so many nodes takes about a second to read.
python3 - >"$dir/long.pbtxt" <<'END'
print('input_stream: "s0"')
for i in range(12000):
    print(f'node {{ calculator: "PassThroughCalculator" input_stream: "s{i}"')
    print(f'output_stream: "s{i + 1}" }}')
END
read_first="The run has not begun: the graph is read first."
for delay in 0.1 0.2 0.4 0.8; do
  start --graph="$dir/long.pbtxt" --input=s0=/dev/null
  sleep "$delay"
  kill -QUIT "$pid"
  finish
  says err "$read_first" && break
done
expect "Ctrl-\\ is answered while the graph is read" says err "$read_first"
expect "and the run goes on" exits 0

# --- Ctrl-\ before the run has begun.
mkfifo "$dir/unread"
start --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" \
  --output=out="$dir/unread"
sleep 0.5
kill -QUIT "$pid"
expect "Ctrl-\\ says that the run has not begun" until_true says err \
  "The run has not begun: its files are opened first"
timeout 20 cat "$dir/unread" >"$dir/read.txt"
finish
expect "and the run begins with its reader" exits 0
expect "who gets all packets" test "$(wc -l <"$dir/read.txt")" -eq 1000

finish_test
