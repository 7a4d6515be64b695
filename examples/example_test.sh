#!/bin/bash
# example_test.sh README PROGRAM ARGS...: the program succeeds and prints the
# lines of the first ```text block of the README. A "…" there stands for any
# text within a line, or, as a line of its own, for any number of lines.
set -uo pipefail
readme=$1
shift
# Tests start in the folder of the whole tree.
source tools/expect.sh

"$@" >"$dir/out" 2>"$dir/err" </dev/null
status=$?
expect "it exits with 0" exits 0
no_standstill() { ! grep -qF 'Who waits for the run:' "$dir/err"; }
expect "it is not said to stand still" no_standstill

sed -n '/^```text$/,/^```$/{ /^```/d; p }' "$readme" >"$dir/block"
expect "the README has a block of text" test -s "$dir/block"
if grep -q '…' "$dir/block"; then
  while IFS= read -r line; do
    pattern=$(sed 's/[][\.*^$]/\\&/g; s/…/.*/g' <<<"$line")
    expect "it prints: $line" grep -qx -- "$pattern" "$dir/out"
  done < <(grep -vx '…' "$dir/block")
else
  expect "it prints what the README says" diff "$dir/block" "$dir/out"
fi

"$1" --help >"$dir/out" 2>"$dir/err"
status=$?
expect "--help exits with 0" exits 0
expect "--help says how to use it" says out "usage:"
"$1" --no_such_flag >"$dir/out" 2>"$dir/err"
status=$?
expect "a flag that is not there is a mistake of usage" exits 2
expect "and is named" says err "--no_such_flag"
finish_test
