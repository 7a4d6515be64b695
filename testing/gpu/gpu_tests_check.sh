#!/bin/bash
# gpu_tests_check.sh GPU_TESTS: of the program with all tests of devices: its
# help, flags and tables; and, in a portable build, what it needs.
set -uo pipefail
gpu_tests=$1
source tools/expect.sh

run() {
  "$gpu_tests" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

run --gtest_filter='StreamTest.*:CudaDeviceTest.*' --device=stand_in --repetitions=1
expect "some tests and the benchmark run" exits 0
expect "a table has the file of the tests" says out "gpu/stream_test.cc"
expect "and the sum" says out " passed, 0 failed"
expect "another has the benchmark" says out "stand-in: no measurement"

run --gtest_filter=NoSuchTest --device=cuda:77
expect "without the device it exits with 0" exits 0
expect "each row of the benchmark says so" says out "not measured"
expect "and why" says out "cuda:77"

run --gtest_filter=NoSuchTest --repetitions=0
expect "the benchmark can be left out" exits 0
no_benchmark() { ! says out "by hand"; }
expect "and then has no table" no_benchmark

run --help
expect "--help exits with 0" exits 0
expect "--help says how to use it" says out "usage: gpu_tests"
run --no_such_flag
expect "a flag that is not there is a mistake of usage" exits 2
expect "and is named" says err "--no_such_flag"
run --gtest_filter=NoSuchTest --device=cuda:x
expect "no name of a device is a mistake of usage" exits 2
run --repetitions=x
expect "no number is a mistake of usage" exits 2

# Libraries of glibc, and the newest symbols of theirs.
readelf --dynamic --wide "$gpu_tests" >"$dir/dynamic"
readelf --dyn-syms --wide "$gpu_tests" | grep -o 'GLIBC_[0-9.]*' | sort -uV >"$dir/glibc"
if grep -q 'libstdc++' "$dir/dynamic"; then
  echo "not portable: the program was not built by --config=portable"
else
  others() {
    grep NEEDED "$dir/dynamic" |
      grep -vE '\[(libc|libm|libdl|librt|libpthread|ld-linux-x86-64)\.so\.[0-9]+\]'
  }
  none() { ! others; }
  expect "it needs libraries of glibc only" none
  old_enough() {
    [[ $(printf '%s\n' GLIBC_2.36 "$(tail -1 "$dir/glibc")" | sort -V | tail -1) == GLIBC_2.36 ]]
  }
  expect "of glibc 2.36 at most" old_enough
fi
finish_test
