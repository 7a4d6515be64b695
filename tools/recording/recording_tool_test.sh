#!/bin/bash
# recording_tool_test.sh RECORDING RUN_GRAPH: what `recording` promises on the
# command line.
set -uo pipefail
recording=$1
run_graph=$2
source tools/expect.sh

run() {
  "$recording" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
for i in $(seq 10); do echo "$i line $i"; done >"$dir/in.txt"
"$run_graph" --graph="$dir/graph.pbtxt" --input=in="$dir/in.txt" \
  --record="$dir/a.syncline" --record_streams='*' 2>"$dir/err" || exit 1

run --help
expect "--help exits with 0" exits 0
expect "--help explains itself" says out "usage: recording"
run info "$dir/a.syncline"
expect "info exits with 0" exits 0
expect "it lists the streams" grep -qE '^in +input +10 ' "$dir/out"
expect "it says how the run ended" says out "the run ended: OK"
run export "$dir/a.syncline" --streams=out
expect "export exits with 0" exits 0
expect "it writes CSV" says out "3,line 3"
run cut "$dir/a.syncline" --to=5 --out="$dir/b.syncline"
expect "cut exits with 0" exits 0
run diff "$dir/a.syncline" "$dir/b.syncline"
expect "diff exits with 1" exits 1
expect "it shows where" says out 'at its packet 6, timestamp 6'
run diff "$dir/a.syncline" "$dir/b.syncline" --to=5
expect "what is the same exits with 0" exits 0
expect "silently" silent out

run
expect "no command is a usage error" exits 2
run look "$dir/a.syncline"
expect "another command is a usage error" exits 2
expect "it is named" says err '"look"'
run info
expect "no file is a usage error" exits 2
run diff "$dir/a.syncline"
expect "diff needs two" exits 2
run cut "$dir/a.syncline"
expect "cut needs --out" exits 2
run export "$dir/a.syncline"
expect "export needs a stream" exits 2
run export "$dir/a.syncline" --streams=in --format=wav --out="$dir/x.wav"
expect "wav needs a rate" exits 2
run export "$dir/a.syncline" --streams=no
expect "an unknown stream exits with 1" exits 1
run info "$dir/none"
expect "a file that is not there exits with 1" exits 1
expect "it is named" says err "none"
finish_test
