#!/bin/bash
# run_graph_device_test.sh RUN_GRAPH: how run_graph is told on which device the
# nodes of a graph work.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"

run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "in"
node { calculator: "PassThroughCalculator" input_stream: "in" output_stream: "out" }
END

run --device=help
expect "--device=help exits with 0" exits 0
expect "--device=help lists the stand-in" says out "stand_in:0"
expect "--device=help lists all of its devices" says out "stand_in:1"
expect "--device=help says nothing on standard error" silent err

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:1
expect "a run on a device that there is exits with 0" exits 0
expect "the device is named" says err 'run_graph: Device stand_in:1 "'
expect "and why it is that one" says err ', as asked for.'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in
expect "a kind means its first device" says err 'run_graph: Device stand_in:0 "'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null
expect "a graph that uses no device says nothing of one" \
  test -z "$(grep Device "$dir/err")"

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=abacus
expect "a device that there is not is a usage error" exits 2
expect "its name is in the message" says err '--device: There is no device "abacus"'
expect "so are those that there are" says err 'stand_in:0, stand_in:1'

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:9
expect "a number that there is not is a usage error" exits 2
run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in:x
expect "what is no number is a usage error" exits 2

run --graph="$dir/graph.pbtxt" --input=in=/dev/null --device=stand_in --explore=2
expect "a device goes with one run" exits 2
expect "and not with --explore" says err '--explore'

for check in true false; do
  run --graph="$dir/graph.pbtxt" --input=in=/dev/null \
    --check_device_access="$check"
  expect "--check_device_access=$check is a run as any other" exits 0
done
run --graph="$dir/graph.pbtxt" --input=in=/dev/null --check_device_access=maybe
expect "what is neither true nor false is a usage error" exits 2
expect "the flag is named" says err '--check_device_access cannot be "maybe"'
run --graph="$dir/graph.pbtxt" --check_device_access
expect "it needs a value" exits 2

finish_test
