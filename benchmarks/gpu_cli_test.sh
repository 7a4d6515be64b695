#!/bin/bash
# gpu_cli_test.sh GPU: the benchmark of devices as a program, on the stand-in
# and without a device.
set -uo pipefail
gpu=$1
source tools/expect.sh

run() {
  "$gpu" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}
rows_with() { [[ $(grep -c -- "$1" "$dir/out") -eq 9 ]]; }

run --device=stand_in --repetitions=1
expect "on the stand-in it exits with 0" exits 0
expect "each row says that it is no measurement" rows_with "no measurement"
expect "it names the calls" says out "record event"

run --device=cuda:77
expect "without the device it exits with 0" exits 0
expect "each row says that it was not measured" rows_with "not measured"
expect "with the reason" says out "cuda:77"

run --help
expect "--help exits with 0" exits 0
expect "--help says how to use it" says out "usage: gpu"
run --repetitions=0
expect "no repetitions is a mistake of usage" exits 2
run --device=cuda:x
expect "no name of a device is a mistake of usage" exits 2
expect "and it is named" says err 'cuda:x'
run --no_such_flag
expect "a flag that is not there is a mistake of usage" exits 2
run more
expect "an argument is a mistake of usage" exits 2
finish_test
