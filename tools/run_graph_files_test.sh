#!/bin/bash
# run_graph_files_test.sh RUN_GRAPH PLUGIN.so RECORDING: run_graph destroys no
# file that it reads, reads standard input and pipes as they come, and exits
# with 0 only when nothing was lost.
set -uo pipefail
run_graph=$1
plugin=$2
recording=$3
source "$(dirname "$0")/expect.sh"

run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" <"${input:-/dev/null}"
  status=$?
}

# until_true CONDITION...: false after 20 seconds or more.
until_true() {
  for _ in $(seq 200); do
    "$@" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}

cat >"$dir/pass.pbtxt" <<'END'
input_stream: "in"
output_stream: "s"
node { calculator: "PassThroughCalculator" input_stream: "in" output_stream: "s" }
END
cat >"$dir/two.pbtxt" <<'END'
input_stream: "a"
input_stream: "b"
node { calculator: "PassThroughCalculator" input_stream: "a" output_stream: "a_out" }
node { calculator: "PassThroughCalculator" input_stream: "b" output_stream: "b_out" }
END
cat >"$dir/join.pbtxt" <<'END'
input_stream: "a"
input_stream: "b"
node {
  calculator: "PassThroughCalculator"
  input_stream: "a"
  input_stream: "b"
  output_stream: "a_out"
  output_stream: "b_out"
}
END
seq 1 3 | sed 's/$/ x/' >"$dir/in.txt"
cp "$dir/in.txt" "$dir/in.keep"
cp "$dir/pass.pbtxt" "$dir/pass.keep"
ln -s in.txt "$dir/soft.txt"
ln "$dir/in.txt" "$dir/hard.txt"
pass=(--graph="$dir/pass.pbtxt" --input=in="$dir/in.txt")

# --- Nothing that is read is written.
keeps() { # WHAT TEXT
  expect "$1 is a usage error" exits 2
  expect "$1: it says what uses the file" says err "$2"
  expect "$1: the packets are as they were" cmp -s "$dir/in.txt" "$dir/in.keep"
  expect "$1: the graph is as it was" cmp -s "$dir/pass.pbtxt" "$dir/pass.keep"
}
run "${pass[@]}" --output=s="$dir/in.txt"
keeps "an output into the input" "--input=in reads the same file"
run "${pass[@]}" --output=s="$dir/soft.txt"
keeps "an output into the input by a link" "\"$dir/in.txt\" reads the same file by another name"
run "${pass[@]}" --output=s="$dir/hard.txt"
keeps "an output into the input by its other name" "\"$dir/in.txt\" reads"
run --graph="$dir/pass.pbtxt" --input=in="$dir/soft.txt" --output=s="$dir/hard.txt"
keeps "an output into what a link leads to" "\"$dir/soft.txt\" reads"
run "${pass[@]}" --output=s="$dir/pass.pbtxt"
keeps "an output into the graph" "--graph reads the same file"
run "${pass[@]}" --write_binary="$dir/pass.pbtxt"
keeps "a binary graph over its text" "--graph reads the same file"
run "${pass[@]}" --write_binary="$dir/soft.txt"
keeps "a binary graph over packets" "--input=in \"$dir/in.txt\" reads the same file"
input=$dir/in.txt run --graph="$dir/pass.pbtxt" --input=in=- --output=s="$dir/in.txt"
keeps "an output into standard input" '--input=in "-" reads the same file'
"$run_graph" "${pass[@]}" --output=s=- >>"$dir/in.txt" 2>"$dir/err"
status=$?
keeps "standard output into the input" '--output=s cannot write to "-"'
: >"$dir/empty"
run --graph="$dir/pass.pbtxt" --input=in="$dir/empty" --record="$dir/empty"
keeps "a recording into the input" "--record cannot write to"
run "${pass[@]}" --output=s="$dir/both" --record="$dir/both"
keeps "a recording into an output" "--output=s writes to the same file"
cp "$plugin" "$dir/plugin.so" && chmod u+w "$dir/plugin.so"
run "${pass[@]}" --plugin="$dir/plugin.so" --output=s="$dir/plugin.so"
keeps "an output into a plug-in" "--plugin reads the same file"
expect "the plug-in is as it was" cmp -s "$plugin" "$dir/plugin.so"
run "${pass[@]}" --record="$dir/a.syncline"
cp "$dir/a.syncline" "$dir/a.keep"
run --replay="$dir/a.syncline" --output=s="$dir/a.syncline"
keeps "an output into the recording that is replayed" "--replay reads the same file"
expect "the recording is as it was" cmp -s "$dir/a.syncline" "$dir/a.keep"
run --graph="$dir/two.pbtxt" --input=a="$dir/in.txt" --input=b="$dir/in.txt" \
  --output=a_out="$dir/x" --output=b_out="$dir/./x"
keeps "two outputs into one file" "--output=a_out"
run "${pass[@]}" --output=s=/dev/null
expect "what has nothing to lose may be anything" exits 0
run --graph="$dir/pass.pbtxt" --input=in=/dev/null --output=s=/dev/null
expect "twice, too" exits 0

# --- An output keeps what it has until a run begins.
echo "old" >"$dir/old.txt"
run "${pass[@]}" --output=s="$dir/old.txt" --output=s="$dir/other.txt"
expect "a command line that is wrong" exits 2
expect "leaves an output as it was" grep -qx old "$dir/old.txt"
run "${pass[@]}" --output=s="$dir/old.txt" --record="$dir/a.syncline"
expect "a recording that is there already" exits 1
expect "leaves an output as it was, too" grep -qx old "$dir/old.txt"
run "${pass[@]}" --output=s="$dir/old.txt"
expect "a run writes it anew" cmp -s "$dir/old.txt" "$dir/in.txt"

# --- What fails leaves no empty file.
absent() { [[ ! -e $1 ]]; }
# As on a full disk: no byte goes into a file.
full() {
  (trap '' XFSZ && ulimit -f 0 && exec "$@" 2>&1 >/dev/null) | cat >"$dir/err"
  status=${PIPESTATUS[0]}
  : >"$dir/out"
}
run "${pass[@]}" --output=s="$dir/fresh" --record="$dir/a.syncline"
expect "a run that does not begin" exits 1
expect "leaves no output" absent "$dir/fresh"
run "${pass[@]}" --output=s="$dir/fresh" --record="$dir/fresh"
expect "an output that is refused" exits 2
expect "is not there" absent "$dir/fresh"
full "$run_graph" "${pass[@]}" --output=s="$dir/fresh"
expect "an output without room exits with 1" exits 1
expect "it says that there is none" says err "$dir/fresh\": File too large: check that there is"
expect "it is not there" absent "$dir/fresh"
full "$run_graph" "${pass[@]}" --write_binary="$dir/fresh"
expect "a binary graph without room exits with 1" exits 1
expect "it says so, too" says err "cannot write \"$dir/fresh\": File too large"
expect "it is not there either" absent "$dir/fresh"
full "$recording" export "$dir/a.syncline" --streams=in --out="$dir/fresh"
expect "packets without room exit with 1" exits 1
expect "it says so as well" says err "cannot write \"$dir/fresh\": File too large"
expect "nor is that there" absent "$dir/fresh"
full "$run_graph" "${pass[@]}" --record="$dir/fresh"
expect "a recording without room exits with 1" exits 1
expect "nor is a recording" absent "$dir/fresh"
not_said() { ! says err "$1"; }
expect "nothing is said to be kept of it" not_said "is kept"
"$run_graph" "${pass[@]}" --output=s=- </dev/null 2>"$dir/err" >&-
status=$?
expect "standard output that is closed exits with 1" exits 1
expect "it is said to be closed" says err "it is closed"

# --- Standard input.
input=$dir/in.txt run --graph="$dir/pass.pbtxt" --input=in=- --output=s=-
expect "standard input is read" exits 0
expect "all of it" cmp -s "$dir/out" "$dir/in.txt"
run --graph="$dir/join.pbtxt" --input=a=- --input=b=-
expect "two inputs from standard input are a usage error" exits 2
expect "both are named" says err 'to input_stream "a" and to "b"'
"$run_graph" --graph="$dir/pass.pbtxt" --input=in=- >"$dir/out" 2>"$dir/err" <&-
status=$?
expect "standard input that is closed exits with 1" exits 1
expect "it is named" says err 'input_stream "in"'
rm -f "$dir/b.syncline"
"$run_graph" "${pass[@]}" --record="$dir/b.syncline" --output=s="$dir/x" <&- >&- 2>&-
"$recording" info "$dir/b.syncline" >"$dir/out" 2>"$dir/err"
status=$?
expect "without standard streams files are whole" exits 0
expect "and hold no lines of the log" cmp -s "$dir/x" "$dir/in.txt"

# --- Pipes.
mkfifo "$dir/slow"
"$run_graph" --graph="$dir/two.pbtxt" --input=a="$dir/slow" --input=b="$dir/in.txt" \
  --output=b_out="$dir/b.txt" --output=a_out="$dir/a.txt" --record="$dir/p.syncline" \
  --record_streams=b_out >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
expect "the run begins" until_true test -e "$dir/p.syncline"
expect "what is waited for is told after a second" until_true says err \
  "waiting for the packets of input_stream \"a\", which come from \"$dir/slow\""
exec 3>"$dir/slow"
printf '1 y\n' >&3
exec 3>&-
wait $pid
status=$?
expect "a pipe without a writer is waited for" exits 0
expect "its packets come" grep -qx "1 y" "$dir/a.txt"

# Packets that pass while the pipe has none.
seq 20000 | sed 's/$/ x/' >"$dir/many.txt"
mkfifo "$dir/silent"
rm -f "$dir/b.txt"
"$run_graph" --graph="$dir/two.pbtxt" --input=a="$dir/silent" --input=b="$dir/many.txt" \
  --output=b_out="$dir/b.txt" >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
exec 3>"$dir/silent"
expect "a silent pipe holds the other input up by nothing" until_true test -s "$dir/b.txt"
exec 3>&-
wait $pid
status=$?
expect "the run ends with the pipe" exits 0
expect "all packets passed" cmp -s "$dir/b.txt" "$dir/many.txt"

# A join with a pipe takes more packets than queues hold.
mkfifo "$dir/joined"
sed 's/$/ y/' "$dir/many.txt" >"$dir/joined" &
run --graph="$dir/join.pbtxt" --input=a="$dir/joined" --input=b="$dir/many.txt" --output=b_out=-
expect "a join with a pipe ends" exits 0
expect "with all packets" cmp -s "$dir/out" "$dir/many.txt"
wait
# The other input waits for room in a queue, which the pipe would make.
mkfifo "$dir/bad"
{ printf '1 x\n'; sleep 0.3; printf 'oops\n'; } >"$dir/bad" &
run --graph="$dir/join.pbtxt" --input=a="$dir/bad" --input=b="$dir/many.txt" --output=b_out=-
expect "a bad line of a pipe ends the run" exits 1
expect "file and line are named" says err "bad:2: "
wait
# The pipe stays open, and has nothing more.
mkfifo "$dir/open"
exec 3<>"$dir/open"
printf '2 x\n1 x\n' >"$dir/back.txt"
run --graph="$dir/two.pbtxt" --input=a="$dir/open" --input=b="$dir/back.txt"
expect "a bad file does not wait for a pipe" exits 1
expect "file and line are named then, too" says err "back.txt:2: "
exec 3>&-
# Each line of a pipe goes to one of its readers.
mkfifo "$dir/shared"
ln -s shared "$dir/shared_too"
timeout 20 "$run_graph" --graph="$dir/join.pbtxt" --input=a="$dir/shared" \
  --input=b="$dir/shared_too" >"$dir/out" 2>"$dir/err" </dev/null
status=$?
expect "one pipe for two inputs is a usage error" exits 2
expect "both inputs are named" says err '"b" are one pipe'
# An output that is a pipe.
mkfifo "$dir/sink"
waiting="run_graph: waiting for a program that reads the pipe"
: >"$dir/err"
(timeout 20 bash -c 'until grep -q "$1" "$2"; do sleep 0.1; done' - "$waiting" "$dir/err"
 exec cat "$dir/sink" >"$dir/sunk") &
run "${pass[@]}" --output=s="$dir/sink"
wait
expect "an output pipe is waited for" exits 0
expect "which is told after a second" says err "$waiting"
expect "it gets all" cmp -s "$dir/sunk" "$dir/in.txt"

# --- Packets that no call took.
cat >"$dir/loop.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "PassThroughCalculator"
  name: "join"
  input_stream: "in"
  input_stream: "loop"
  input_stream_info { tag_index: ":1" back_edge: true }
  output_stream: "out"
  output_stream: "loop"
}
END
run --graph="$dir/loop.pbtxt" --input=in="$dir/in.txt"
expect "a loop that nobody feeds exits with 1" exits 1
expect "the node is named" says err '"join"'
expect "it says how that is no error" says err "--allow_leftover"
run --graph="$dir/loop.pbtxt" --input=in="$dir/in.txt" --allow_leftover
expect "with the flag it is no error" exits 0
expect "the node is named all the same" says err '"join"'

# --- What nobody can find any more is not written.
mkfifo "$dir/feed"
"$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/feed" \
  --output=s="$dir/gone.txt" >"$dir/out" 2>"$dir/err" &
pid=$!
exec 7>"$dir/feed"
# More than a buffer on the way, so that some of it is seen to arrive.
seq 5000 | sed 's/$/ a/' >&7
expect "packets are written while a pipe has more" until_true test -s "$dir/gone.txt"
rm "$dir/gone.txt"
echo "5001 b" >&7
exec 7>&-
wait $pid
status=$?
expect "an output that somebody removes is an error" exits 1
expect "the file is named" says err "\"$dir/gone.txt\": somebody removed the file"

# --- Packets of a node that somebody closes early are told, and no error.
cat >"$dir/closed.pbtxt" <<'END'
input_stream: "in"
output_stream: "out"
node {
  calculator: "PassThroughCalculator"
  name: "two"
  input_stream: "in"
  output_stream: "out"
  condition {
    type: "CountCondition"
    options { [syncline.CountConditionOptions.ext] { count: 2 } }
  }
}
END
printf '1 a\n2 b\n3 c\n' >"$dir/three.txt"
run --graph="$dir/closed.pbtxt" --input=in="$dir/three.txt"
expect "a count that somebody set is no error" exits 0
expect "what the closed node did not take is told" says err '"two" dropped 1 packet '

# --- A recording is a file.
mkfifo "$dir/r"
timeout 20 "$recording" info "$dir/r" >"$dir/out" 2>"$dir/err"
status=$?
expect "recording info of a pipe exits with 1" exits 1
expect "it says that it is a pipe" says err "\"$dir/r\" is a pipe"
timeout 20 "$recording" diff "$dir/a.syncline" "$dir/r" >"$dir/out" 2>"$dir/err"
status=$?
expect "recording diff with a pipe exits with 1" exits 1
timeout 20 "$run_graph" --replay="$dir/r" >"$dir/out" 2>"$dir/err"
status=$?
expect "a replay of a pipe exits with 1" exits 1
expect "it says that it is a pipe, too" says err "\"$dir/r\" is a pipe"

# --- Names are no commands to a terminal.
no_escape() { ! grep -q $'\e' "$dir/out" "$dir/err"; }
odd=$'odd\e[31m'
run --graph="$dir/pass.pbtxt" --input=in="$dir/$odd"
expect "a name of a file is shown" says err 'odd\x1b[31m'
expect "without its control characters" no_escape
cp "$dir/pass.pbtxt" "$dir/$odd.pbtxt"
run --graph="$dir/$odd.pbtxt" --check
expect "a plan is printed" exits 0
expect "a plan has no control characters" no_escape
run "${pass[@]}" --record="$dir/$odd.syncline"
expect "a recording of any name is made" exits 0
expect "a summary has no control characters" no_escape
run --graph="$dir/pass.pbtxt" --input=in="$dir/"$'odd\xc2\x9b31m'
expect "nor those that UTF-8 has in two bytes" says err 'odd\xc2\x9b31m'
run --graph="$dir/pass.pbtxt" --input=in="$dir/"$'two\nlines'
expect "a name is one line" says err 'two\nlines'
two=$dir/$'two\nlines'
echo 'node { calculator: "Nope" }' >"$two.pbtxt"
run --graph="$two.pbtxt"
expect "where an error says the line of a graph" says err 'two\nlines.pbtxt:1:'
echo 'no packet' >"$two"
run --graph="$dir/pass.pbtxt" --input=in="$two"
expect "where it says the line of an input" says err 'two\nlines:1:'
rm "$two"
run --graph="$dir/pass.pbtxt" --input=$'in\nx'="$dir/in"
expect "where it names a stream" says err 'in\nx'
run --graph="$dir/pass.pbtxt" --input_side_packets=$'side\nx=1'
expect "or a side packet" says err 'side\nx'
run --graph="$dir/pass.pbtxt" $'file\nx'
expect "or an argument that nobody takes" says err 'file\nx'
run --graph="$dir/pass.pbtxt" --explore=$'many\nx'
expect "or the value of a flag" says err 'many\nx'
run --graph="$dir/pass.pbtxt" --log_level=$'loud\nx'
expect "or a level of the log" says err 'loud\nx'
run --describe=$'type\nx'
expect "or a type" says err 'type\nx'
run --graph="$dir/pass.pbtxt" --template_args=$'args\nx'
expect "or an argument of a template" says err 'args\nx'
run "${pass[@]}" --record="$dir/full.syncline" --record_when_full=$'wait\nx'
expect "or what to do when it is full" says err 'wait\nx'
run "${pass[@]}" --record="$dir/full.syncline" --record_streams=$'none\nx'
expect "or a stream to record" says err 'none\nx'
run "${pass[@]}" --output=$'s=a\nx' --output=s=-
expect "or two outputs with one stream" says err 's=a\nx'
: >"$dir/"$'empty\nx'
run --replay="$dir/"$'empty\nx'
expect "or a recording that is none" says err 'empty\nx'
rm "$dir/"$'empty\nx'
run "${pass[@]}" --flagfile=$'flags\nx'
expect "or a file of flags" says err 'flags\nx'
run "${pass[@]}" --fromenv $'flags\nx'
expect "or a variable with a flag" says err 'flags\nx'
run "${pass[@]}" --record="$dir/"$'two\nlines.syncline'
expect "in a summary, too" says err 'two\nlines.syncline'
run "${pass[@]}" --record="$dir/"$'two\nlines.syncline'
expect "and in an error of a recording" says err 'two\nlines.syncline'
cut=$dir/$odd.cut.syncline
"$recording" cut "$dir/$odd.syncline" --to=2 --out="$cut" >"$dir/out" 2>"$dir/err"
"$recording" diff "$dir/$odd.syncline" "$cut" >"$dir/out" 2>"$dir/err"
status=$?
expect "two recordings differ" exits 1
expect "their names are shown" says out 'odd\x1b[31m.cut.syncline'
expect "without control characters" no_escape

finish_test
