#!/bin/bash
# run_graph_trace_test.sh RUN_GRAPH TRACE: --trace and --flight_recorder, and
# what the summary says of them.
set -uo pipefail
run_graph=$1
trace=$2
source "$(dirname "$0")/expect.sh"
export TMPDIR=$dir/temporary
mkdir "$TMPDIR"

cat >"$dir/pass.pbtxt" <<'END'
input_stream: "in"
output_stream: "out"
node {
  name: "first"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "x"
}
node {
  name: "second"
  calculator: "PassThroughCalculator"
  input_stream: "x"
  output_stream: "out"
}
END
for i in $(seq 100); do echo "$i word$i"; done >"$dir/in.txt"

run() {
  "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}
is_file() { [[ -s $1 ]]; }
is_no_file() { [[ ! -e $1 ]]; }
is_empty() { [[ -z $(ls -A "$1") ]]; }
run_pass() {
  run "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/in.txt" \
    --output=out="$dir/out.txt" "$@"
}

# --- A trace of each form.
run_pass --trace="$dir/run.trace"
expect "a traced run ends well" exits 0
expect "the summary has the latency of the output" says err 'latency of "out": p50'
expect "of all packets" says err "100 packets"
expect "and the busiest nodes" says err "busiest nodes:"
cp "$dir/err" "$dir/summary"
run "$trace" stats "$dir/run.trace"
expect "the program trace reads it" exits 0
expect "with its nodes" says out "second"
run "$trace" latency "$dir/run.trace" --skip_first=0 --skip_last=0 --format=json
latency_ns() {
  python3 - "$dir" <<'END'
import json, re, sys
folder = sys.argv[1]
path = json.load(open(folder + "/out"))["paths"][0]
line = re.search(r'of "out": p50 (\S+), p99 (\S+),', open(folder + "/summary").read())
unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
def ns(text):
    return round(sum(float(n) * unit[u] for n, u in re.findall(r"([0-9.]+)([a-z]+)", text)))
assert [ns(t) for t in line.groups()] == [path["p50_ns"], path["p99_ns"]], (line, path)
END
}
expect "with the latency of the summary" latency_ns
run "$trace" latency "$dir/run.trace" --skip_first=0 --skip_last=0
expect "with the way of its packets" says out "in -> first -> second -> out"

run_pass --trace="$dir/run.pftrace"
expect "a trace for Perfetto is written" is_file "$dir/run.pftrace"
expect "with the names of nodes" grep -q second "$dir/run.pftrace"
expect "and no file beside it" test "$(ls "$dir" | grep -c '^run.pftrace')" -eq 1

run_pass --trace="$dir/run.binarypb"
expect "so is a GraphProfile" is_file "$dir/run.binarypb"
run "$trace" stats "$dir/run.binarypb"
expect "which the program trace reads, too" says out "second"

# --- A run with more events than a thread keeps in memory.
seq 1 40000 | sed 's/$/ x/' >"$dir/long.txt"
(cat "$dir/pass.pbtxt" && echo "num_threads: 1") >"$dir/long.pbtxt"
run_long() {
  run "$run_graph" --graph="$dir/long.pbtxt" --input=in="$dir/long.txt" \
    --output=out="$dir/out.txt" "$@"
}
run_long
expect "without a trace the summary has the last packets" exits 0
part='these times are of the last [0-9.]+m?s of [0-9.]+m?s, as [0-9]+ older events '
expect "and says which part of the run that is" grep -qE "$part" "$dir/err"
expect "and what keeps the others" says err "--trace=FILE keeps them"
expect "which is not all of it" test "$(grep -c '40000 packets$' "$dir/err")" -eq 0
# A machine that is busy with other things may lose some, and says so.
has_all() { grep -qE '40000 packets$|which it could not take in time' "$dir/err"; }
for form in trace binarypb; do
  run_long --trace="$dir/long.$form"
  expect "with a trace of the form $form" exits 0
  expect "the summary has all packets" has_all
  expect "so it is not of a part" test "$(grep -c 'these times' "$dir/err")" -eq 0
done

# --- Ctrl-C while the trace gets its form.
mkdir "$dir/late"
seq 1 60000 | sed 's/$/ x/' >"$dir/long.txt"
echo old >"$dir/late/t.pftrace"
env --default-signal=INT,QUIT "$run_graph" --graph="$dir/long.pbtxt" \
  --input=in="$dir/long.txt" --output=out="$dir/out.txt" \
  --trace="$dir/late/t.pftrace" >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
# Its events are in one file beside it, and what is converted in another.
for _ in $(seq 4000); do
  [[ $(ls "$dir/late" | wc -l) -ge 3 ]] && break
  sleep 0.005
done
kill -QUIT "$pid"
for _ in $(seq 200); do
  says err "what it leaves is being written" && break
  sleep 0.005
done
kill -INT "$pid"
wait "$pid"
status=$?
expect "Ctrl-\\ is answered while a trace gets its form" says err \
  "The run is over, and what it leaves is being written"
expect "Ctrl-C ends that" exits 130
expect "in words" says err "run_graph: interrupted; leaving out what is not written"
expect "which name the trace" says err "late/t.pftrace\" is not written"
expect "and leaves no part of it" test "$(ls "$dir/late")" = t.pftrace
expect "but what was there before" test "$(cat "$dir/late/t.pftrace")" = old
expect "the outputs of the run are there" test "$(wc -l <"$dir/out.txt")" -eq 60000
rm "$dir"/long.*

# --- Ctrl-C while the trace waits for who reads it.
mkfifo "$dir/late/pipe.pftrace"
env --default-signal=INT "$run_graph" --graph="$dir/pass.pbtxt" \
  --input=in="$dir/in.txt" --trace="$dir/late/pipe.pftrace" \
  >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
for _ in $(seq 2000); do
  says err "waiting for a program that reads the pipe" && break
  sleep 0.01
done
kill -INT "$pid"
wait "$pid"
status=$?
expect "a trace that waits for its reader is given up, too" exits 130
expect "in words" says err "late/pipe.pftrace\" is not written"
expect "and nothing is left beside the pipe" test "$(ls "$dir/late" | wc -l)" -eq 2

# --- Names in which a line ends.
sed 's/"second"/"sec\\nond\\033[2J"/' "$dir/pass.pbtxt" \
  >"$dir/lines.pbtxt"
run "$run_graph" --graph="$dir/lines.pbtxt" --input=in="$dir/in.txt"
expect "a name with a line end" exits 0
expect "is one word in the summary" says err 'sec\nond\x1b[2J" '

# --- More outputs than the summary has lines for.
for i in $(seq 10); do
  echo "output_stream: \"o$i\" node { calculator: \"PassThroughCalculator\""
  echo "input_stream: \"in\" output_stream: \"o$i\" }"
done >"$dir/wide.pbtxt"
echo 'input_stream: "in"' >>"$dir/wide.pbtxt"
run "$run_graph" --graph="$dir/wide.pbtxt" --input=in="$dir/in.txt"
expect "a graph of ten outputs" exits 0
expect "has the latency of eight" test "$(grep -c 'latency of "' "$dir/err")" -eq 8
expect "and says that there are two more" says err "latency of 2 more outputs"

# --- An output that a node reads, too, and a stream that is no output.
sed 's/output_stream: "out"/output_stream: "x"/;T;:a;n;ba' "$dir/pass.pbtxt" \
  >"$dir/inner.pbtxt"
run "$run_graph" --graph="$dir/inner.pbtxt" --input=in="$dir/in.txt"
expect "a graph whose output a node reads" exits 0
expect "has the latency of the output" says err 'latency of "x": p50'
expect "and of nothing else" test "$(grep -c 'latency ' "$dir/err")" -eq 1
run "$run_graph" --graph="$dir/inner.pbtxt" --input=in="$dir/in.txt" \
  --trace="$dir/inner.trace"
run "$trace" latency "$dir/inner.trace" --skip_first=0 --skip_last=0
expect "the program trace has its path" says out "in -> first -> x"

# --- What is recorded is no output because of that.
grep -v '^output_stream' "$dir/pass.pbtxt" >"$dir/none.pbtxt"
run "$run_graph" --graph="$dir/none.pbtxt" --input=in="$dir/in.txt"
expect "a graph that lists no output" exits 0
expect "has the latency of what nobody reads" says err 'latency of "out": p50'
run "$run_graph" --graph="$dir/none.pbtxt" --input=in="$dir/in.txt" \
  --record="$dir/none.syncline"
expect "with a recording of its input" exits 0
expect "it has it, too" says err 'latency of "out": p50'
run "$run_graph" --graph="$dir/inner.pbtxt" --input=in="$dir/in.txt" \
  --record="$dir/inner.syncline" --record_streams='*'
expect "with a recording of all streams" exits 0
expect "the output is the listed one" says err 'latency of "x": p50'
expect "and no other" test "$(grep -c 'latency ' "$dir/err")" -eq 1

# --- The files of profiler_config.
profiler() { # PATH
  cat "$dir/pass.pbtxt"
  echo "profiler_config { trace_enabled: true trace_log_path: \"$1\" }"
}
profiler "$dir/profile_" >"$dir/profiled.pbtxt"
run "$run_graph" --graph="$dir/profiled.pbtxt" --input=in="$dir/in.txt"
expect "a graph with a profiler" exits 0
expect "has its file" is_file "$dir/profile_0.binarypb"
rm "$dir/profile_0.binarypb"
mkdir "$dir/profile_0.binarypb"
run "$run_graph" --graph="$dir/profiled.pbtxt" --input=in="$dir/in.txt"
expect "a file that cannot be written is an error" exits 1
expect "the run is summed up all the same" says err "2 nodes sent"
expect "and it is said that the file is not there" says err \
  "run_graph: the files that profiler_config asks for are not whole: "
expect "with its name" says err "$dir/profile_0.binarypb\": Is a directory"
rmdir "$dir/profile_0.binarypb"

# --- The flight recorder.
expect "runs that end well leave no file" is_empty "$TMPDIR"
echo "50 goes back" >>"$dir/in.txt"
run_pass
expect "a run that fails" exits 1
expect "says where its last events are" says err "$TMPDIR/run_graph_"
run "$trace" stats "$TMPDIR"/run_graph_*.trace
expect "which can be read" says out "second"
rm "$TMPDIR"/*
run_pass --flight_recorder="$dir/last.trace"
expect "its file may be named" is_file "$dir/last.trace"
run_pass --flight_recorder=off
expect "and there may be none" is_empty "$TMPDIR"

# --- Ctrl-\ while the graph waits.
mkfifo "$dir/pipe"
rm "$dir/out.txt"
exec 3<>"$dir/pipe"
env --default-signal=INT,QUIT,TERM "$run_graph" --graph="$dir/pass.pbtxt" \
  --input=in="$dir/pipe" --output=out="$dir/out.txt" \
  --flight_recorder="$dir/quit.trace" >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
echo "1 word" >&3
for _ in $(seq 100); do [[ -s $dir/out.txt ]] && break; sleep 0.1; done
kill -QUIT "$pid"
for _ in $(seq 100); do [[ -s $dir/quit.trace ]] && break; sleep 0.1; done
expect "Ctrl-\\ writes the last events" is_file "$dir/quit.trace"
# --- A crash leaves them, too.
kill -SEGV "$pid"
wait "$pid"
status=$?
expect "a signal of a crash ends the process" exits 139
run "$trace" stats "$dir/quit.trace"
expect "and the file can be read" says out "second"
exec 3>&-

# --- A disk that is full.
seq 1 20000 | sed 's/$/ x/' >"$dir/many.txt"
(
  ulimit -f 400
  "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" \
    --trace="$dir/full.trace" >"$dir/out" 2>"$dir/err" </dev/null
  echo $? >"$dir/status"
)
status=$(<"$dir/status")
expect "a trace that does not fit is an error" exits 1
expect "which names the file" says err "$dir/full.trace"
expect "and says how much is missing" \
  grep -qE '; the trace has not [0-9]+ events$' "$dir/err"
expect "and not that it came too fast" \
  test "$(grep -c 'in time' "$dir/err")" -eq 0
expect "the run is summed up as ever" says err "2 nodes sent"
expect "with the latency of the output" says err "latency "
run "$trace" stats "$dir/full.trace"
expect "what is there can be read" says out "second"

(
  ulimit -f 400
  "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" \
    --trace="$dir/half.pftrace" >"$dir/out" 2>"$dir/err" </dev/null
  echo $? >"$dir/status"
)
status=$(<"$dir/status")
expect "nor does the file beside it have room" exits 1
expect "then it is said what that is" says err \
  "that file held the events for \"$dir/half.pftrace\" while the graph ran"
rm -f "$dir"/half.pftrace*

for form in pftrace binarypb; do
  ln -sf /dev/full "$dir/full.$form"
  run "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" \
    --trace="$dir/full.$form"
  expect "the form $form that does not fit is an error" exits 1
  expect "it names the file" says err "$dir/full.$form\": No space left"
  expect "and says what to do" says err "check that there is room"
  events=$(grep -oE "$dir/full.$form\.[A-Za-z0-9]{6}" "$dir/err")
  run "$trace" stats "$events"
  expect "the events are where it says" says out "second"
  rm -f "$events"
  run_pass --trace="$dir/full.$form"
  expect "if the run fails, too, its error is told" says err "in.txt:101"
  expect "and that of the file" says err "$dir/full.$form\": No space left"
  events=$(grep -oE "$dir/full.$form\.[A-Za-z0-9]{6}" "$dir/err")
  rm -f "$events" "$dir/full.$form"
done

# --- What cannot be.
run_pass --trace=/no/such/folder/run.trace
expect "a folder that does not exist is an error" exits 1
expect "with its name" says err "/no/such/folder/run.trace"
run_pass --trace=/dev/stdout
expect "a trace into a link is an error" exits 1
expect "which says what a trace needs" says err \
  "it is a link, as /dev/stdout is, and a trace needs an ordinary file"
run_many() {
  run "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/many.txt" "$@"
}
mkdir "$dir/folder"
run_many --flight_recorder="$dir/folder"
expect "a flight recorder that can have no file does not hold up the run" \
  exits 0
expect "it is told" says err "which is a folder: name an ordinary file"
expect "and the folder stays" test -d "$dir/folder"
mkfifo "$dir/fifo"
run_many --flight_recorder="$dir/fifo"
expect "nor does a pipe" exits 0
expect "which is told" says err "which is a pipe: name an ordinary file"
expect "which stays, too" test -p "$dir/fifo"
profiler /no/such/folder/profile_ >"$dir/profiled.pbtxt"
run "$run_graph" --graph="$dir/profiled.pbtxt" --input=in="$dir/many.txt" \
  --trace="$dir/none.pftrace"
expect "a run that cannot begin" exits 1
expect "leaves no file of events" \
  test "$(ls "$dir" | grep -c '^none.pftrace')" -eq 0
run_pass --trace="$dir/x.trace" --check
expect "--check has no run to trace" exits 2
run_pass --flight_recorder=
expect "a name is missing" exits 2
run_pass --trace="$dir/same" --flight_recorder="$dir/same"
expect "two traces in one file" exits 2
run_pass --trace="$dir/out.txt"
expect "a trace over an output" exits 2

finish_test
