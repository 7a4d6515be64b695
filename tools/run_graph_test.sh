#!/bin/bash
# run_graph_test.sh RUN_GRAPH HELLO.pbtxt README: what run_graph promises on the
# command line: exit status, what goes to which stream, and errors that a person
# can use; and that the README shows what it prints.
set -uo pipefail
program=$1
good=$2
readme=$3
dir=${TEST_TMPDIR:-$(mktemp -d)}
failures=0

# run ARGS...: leaves the exit status in $status and the streams in two files.
run() {
  "$program" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

# expect WHAT CONDITION...: one named check.
expect() {
  local what=$1
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "FAILED: $what (exit status $status)"
    sed 's/^/  out: /' "$dir/out" | head -5
    sed 's/^/  err: /' "$dir/err" | head -20
    failures=$((failures + 1))
  fi
}
says() { grep -qF -- "$2" "$dir/$1"; }
silent() { [[ ! -s $dir/$1 ]]; }
exits() { [[ $status -eq $1 ]]; }

run --help
expect "--help exits with 0" exits 0
expect "--help explains itself on standard output" says out "usage: run_graph"
expect "--help says nothing on standard error" silent err

run --version
expect "--version exits with 0" exits 0
expect "--version names the project" says out "Syncline"
expect "--version names the devices" says out "devices:"

run --graph="$good" --check
expect "a good graph exits with 0" exits 0
expect "the plan names the nodes" says out "SentenceCalculator"
expect "the plan names the streams" says out "sentence"
expect "a good graph makes no noise" silent err

# The lines of the README's plan, up to the one that stands for the rest.
while IFS= read -r line; do
  expect "the README's line is printed: $line" grep -qxF -- "$line" "$dir/out"
done < <(sed -n '/^plan: /,/^```$/{ /^```$/d; /^ *…$/d; p }' "$readme" |
  grep . || echo "no plan in $readme")

run --graph="$good"
expect "a graph that runs to its end exits with 0" exits 0
expect "it makes no noise" silent err
sed -n '/^one squared/,/^```$/{ /^```$/d; p }' "$readme" >"$dir/expected"
expect "it prints what the README shows" cmp -s "$dir/out" "$dir/expected"
expect "the README shows something" test -s "$dir/expected"

run --graph="$good" --explore=20
expect "a graph whose outputs do not depend on the order exits with 0" exits 0
expect "it says how many orders there were" says err "20 schedules"
run --graph="$good" --explore=-1
expect "a negative number of orders is a usage error" exits 2

printf 'input_stream: "a"\n' >"$dir/fed.pbtxt"
run --graph="$dir/fed.pbtxt"
expect "a graph that has to be fed exits with 1" exits 1
expect "the input is named" says err 'input_stream "a"'

run --graph="$good" --input_side_packets=missing
expect "a side packet without a value is a usage error" exits 2
expect "it says how to write it" says err "NAME=TEXT"

run
expect "no graph is a usage error" exits 2
expect "it says what to do" says err "--graph=FILE"

run "$good"
expect "a stray argument is a usage error" exits 2
expect "it is named" says err "unexpected argument"

run --graph="$dir/absent.pbtxt" --check
expect "a missing file exits with 1" exits 1
expect "the file is named" says err "absent.pbtxt"
expect "nothing goes to standard output" silent out

run --graph="$dir" --check
expect "a folder exits with 1" exits 1
expect "the folder is named" says err "$dir"

printf 'node { calculator: "PrintCalculater" input_stream: "a" }\n' >"$dir/typo.pbtxt"
run --graph="$dir/typo.pbtxt" --check
expect "an unknown calculator exits with 1" exits 1
expect "file and line are named" says err "typo.pbtxt:1"
expect "the name is quoted" says err '"PrintCalculater"'
expect "the nearest name is offered" says err '"PrintCalculator"'

printf 'node {\n  calculator: 7\n' >"$dir/syntax.pbtxt"
run --graph="$dir/syntax.pbtxt" --check
expect "a syntax error exits with 1" exits 1
expect "file and line are named" says err "syntax.pbtxt:2"

: >"$dir/empty.pbtxt"
run --graph="$dir/empty.pbtxt" --check
expect "an empty graph is not a crash" test "$status" -le 1

head -c 4096 /dev/urandom >"$dir/noise.binarypb"
run --graph="$dir/noise.binarypb" --check
expect "random bytes exit with 1" exits 1

printf 'node { calculator: "%s" output_stream: "a" %s }\noutput_stream: "b"\n' CountToCalculator \
  'node_options { [type.googleapis.com/mediapipe.CountToCalculatorOptions] { last: 1 } }' >"$dir/warns.pbtxt"
run --graph="$dir/warns.pbtxt" --check
expect "a graph with a warning is good" exits 0
expect "the warning names the stream, on standard error" says err 'warning: '
expect "it is no log line" test -z "$(grep InitGoogleLogging "$dir/err")"

run --graph="$good" --write_binary="$dir/good.binarypb"
expect "--write_binary exits with 0" exits 0
run --graph="$dir/good.binarypb" --check
expect "the binary graph is good too" exits 0
run --graph="$good" --write_binary="$dir/no/such/folder/x"
expect "an unwritable file exits with 1" exits 1
expect "the file is named" says err "no/such/folder/x"

if [[ -e /dev/full ]]; then
  "$program" --graph="$good" --check >/dev/full 2>"$dir/err"
  status=$?
  expect "a full disk is noticed" exits 1
fi

echo "$failures failed"
exit $((failures > 0))
