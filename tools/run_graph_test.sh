#!/bin/bash
# run_graph_test.sh HELLO_GRAPH HELLO.pbtxt README RUN_GRAPH PLUGIN.so: what
# run_graph promises on the command line: exit status, what goes to which stream, errors
# that a person can use, and files at both ends; and that the README shows what
# it prints.
set -uo pipefail
program=$1
good=$2
readme=$3
run_graph=$4
plugin=$5
source "$(dirname "$0")/expect.sh"

# run ARGS...: leaves the exit status in $status and the streams in two files.
run() {
  "$program" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

run --help
expect "--help exits with 0" exits 0
expect "--help explains itself on standard output" says out "usage: run_graph"
expect "--help says nothing on standard error" silent err
expect "--help fits one screen" test "$(wc -l <"$dir/out")" -le 40
expect "--help shows examples" says out "Examples:"
run --help=all
expect "--help=all exits with 0" exits 0
expect "--help=all explains each flag" says out "--record_when_full=block|drop"

# on_terminal ENVIRONMENT...: an error of the command line, as a terminal gets it.
on_terminal() {
  status=0
  env "$@" script -qec "'$program' --nonsense" /dev/null \
    >"$dir/out" 2>"$dir/err" </dev/null || status=$?
}
if command -v script >/dev/null; then
  on_terminal TERM=xterm NO_COLOR=
  expect "a terminal gets the exit status" exits 2
  expect "and an error in red" says out $'\033[1;31mrun_graph:\033[0m there is no'
  on_terminal TERM=xterm NO_COLOR=1
  expect "NO_COLOR leaves it plain" says out "run_graph: there is no flag"
  on_terminal TERM=dumb NO_COLOR=
  expect "and so does a terminal without colours" \
    says out "run_graph: there is no flag"
fi
run --nonsense
expect "a file gets no colour" says err "run_graph: there is no flag"

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
expect "it sums up on standard error" grep -qE \
  '^run_graph: 5 nodes sent 20 packets in [0-9.]+[mu]?s$' "$dir/err"
expect "names the busiest nodes" says err 'run_graph: busiest nodes: "'
expect "and the latency up to the last node" \
  says err 'run_graph: latency up to "PrintCalculator": p50 '
expect "and says no more" test "$(wc -l <"$dir/err")" -eq 3
sed -n '/^one squared/,/^```$/{ /^```$/d; p }' "$readme" >"$dir/expected"
expect "it prints what the README shows" cmp -s "$dir/out" "$dir/expected"
expect "the README shows something" test -s "$dir/expected"

run --calculator_graph_config_file="$good" --check
expect "the graph's flag has MediaPipe's name, too" exits 0
run --calculator_graph_config_file="$good" --graph="$good" --check
expect "a graph by both names is a usage error" exits 2

cat >"$dir/switch.pbtxt" <<'END'
input_stream: "on"
input_stream: "in"
output_stream: "out"
node {
  calculator: "SwitchContainer"
  input_stream: "ENABLE:on"
  input_stream: "in"
  output_stream: "out"
  options {
    [mediapipe.SwitchContainerOptions.ext] {
      contained_node { calculator: "PassThroughCalculator" }
      contained_node { calculator: "PassThroughCalculator" }
    }
  }
}
END
"$run_graph" --graph="$dir/switch.pbtxt" --check >"$dir/out" 2>"$dir/err"
status=$?
expect "run_graph has the framework's subgraphs" exits 0
expect "they are in the plan" says out "SwitchMuxCalculator"

run --graph="$good" --explore=20
expect "a graph whose outputs do not depend on the order exits with 0" exits 0
expect "it says how many orders there were" says err "20 schedules"
run --graph="$good" --explore=-1
expect "a negative number of orders is a usage error" exits 2

cat >"$dir/plugin.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "plugin_test.RepeatCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
echo "3 ab" >"$dir/words"
run --graph="$dir/plugin.pbtxt" --input=in="$dir/words" --output=out=- \
  --plugin="$plugin" --plugin="$plugin"
expect "a graph with a calculator of a plug-in runs" exits 0
expect "the calculator is the plug-in's" says out "3 abab"
expect "a plug-in that is named twice is told of, once" \
  test "$(grep -c 'is open already, maybe by another name, and adds nothing' "$dir/err")" -eq 1
ln -s "$(realpath "$plugin")" "$dir/link.so"
run --graph="$dir/plugin.pbtxt" --check --plugin="$plugin" --plugin="$dir/link.so"
expect "so it is by another name" says err "link.so\" is open already"
run --graph="$dir/plugin.pbtxt" --check --plugin="$plugin"
expect "one that is named once is not" silent err
run --graph="$dir/plugin.pbtxt" --check
expect "without the plug-in the graph is bad" exits 1
run --graph="$dir/plugin.pbtxt" --plugin="$dir/none.so"
expect "a plug-in that is not there exits with 1" exits 1
expect "it is named" says err "none.so"

printf 'input_stream: "a"\n' >"$dir/fed.pbtxt"
run --graph="$dir/fed.pbtxt"
expect "a graph that has to be fed exits with 1" exits 1
expect "the input is named" says err 'input_stream "a"'

run --graph="$good" --input_side_packets=missing
expect "a side packet without a value is a usage error" exits 2
expect "it says how to write it" says err "NAME=VALUE"
run --graph="$good" --input_side_packets=nobody=1
expect "a side packet that nobody reads is a usage error" exits 2
expect "it is named" says err 'no side packet "nobody"'
expect "it says what there is" says err 'It has none.'

# What types there are.  hello_graph has a calculator with options.
run --describe=CountToCalculator
expect "a type is described" exits 0
expect "with its kind" grep -qE 'kind +calculator' "$dir/out"
expect "with its place" says out 'examples/hello_graph/hello_calculators.cc:'
expect "with why it needs options" says out 'set "last" to the number'
expect "with its options" grep -qE 'last +int32' "$dir/out"
expect "with their comments" grep -qE 'last +int32 .*[A-Z]' "$dir/out"
expect "and without noise" silent err
run --describe=InWordsCalculator
expect "with its ports" grep -qE 'input_stream .* int$' "$dir/out"
run --describe=CountToCalculater
expect "an unknown type exits with 1" exits 1
expect "the nearest type is named" says err 'Did you mean "CountToCalculator"?'
expect "in one line" test "$(wc -l <"$dir/err")" -eq 1
expect "and nothing is described" silent out
run --list_types
expect "types are listed" exits 0
expect "by kind" grep -qE '^calculator \([0-9]+\)$' "$dir/out"
expect "with their names" says out CountToCalculator
run --describe=plugin_test.RepeatCalculator
expect "a type of a plug-in that is not open is unknown" exits 1
run --describe=plugin_test.RepeatCalculator --plugin="$plugin"
expect "a plug-in's types are described" exits 0
expect "with their place" says out plugin_calculator.cc

run --graph="$good" --log_level=WARNING --log_level=CountTo*=DEBUG
expect "levels of the log are taken" exits 0
run --graph="$good" --log_level=LOUD
expect "an unknown level is a usage error" exits 2
expect "which names it" says err '"LOUD"'

# --- Files at both ends.
program=$run_graph
cat >"$dir/limited.pbtxt" <<'END'
input_stream: "left"
node {
  calculator: "PassThroughCalculator"
  input_stream: "left"
  output_stream: "left_out"
  input_side_packet: "limit"
  output_side_packet: "limit_out"
}
END
run --graph="$dir/limited.pbtxt" --input=left=/dev/null
expect "a side packet that is missing exits with 1" exits 1
expect "it is named, with the flag" says err '"limit"'
expect "the flag is named" says err '--input_side_packets=limit=VALUE'
expect "an error begins in its line" grep -qE '^run_graph: [^ ]' "$dir/err"
run --graph="$dir/limited.pbtxt" --input=left=/dev/null --input_side_packets=limit=1
expect "with the side packet it runs" exits 0
run --graph="$dir/limited.pbtxt" --input=left=/dev/null --input_side_packets=zebra=1
expect "a side packet that nobody reads is a usage error" exits 2
expect "the others are listed" says err 'Known are "limit_out" and "limit".'
cat >"$dir/options.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "FlowLimiterCalculator"
  input_stream: "in"
  input_stream: "FINISHED:in_out"
  input_stream_info { tag_index: "FINISHED" back_edge: true }
  input_side_packet: "OPTIONS:options"
  output_stream: "in_out"
}
END
run --graph="$dir/options.pbtxt" --input=in=/dev/null \
  --input_side_packets='options=max_in_flight: 2'
expect "options can be given as a side packet" exits 0
run --graph="$dir/options.pbtxt" --input=in=/dev/null \
  --input_side_packets='options=max_in_flight: -2'
expect "they are what the node has" exits 1
expect "and checks" says err "max_in_flight -2"
cat >"$dir/join.pbtxt" <<'END'
input_stream: "left"
input_stream: "right"
node {
  calculator: "PassThroughCalculator"
  input_stream: "left"
  input_stream: "right"
  output_stream: "left_out"
  output_stream: "right_out"
}
END
printf '# numbers\n\n10 one\n20 two\tand\\\\more\n' >"$dir/left.txt"
seq 1 1000 | sed 's/.*/& right &/' >"$dir/right.txt"
join=(--graph="$dir/join.pbtxt" --input=left="$dir/left.txt")

run "${join[@]}" --input=right="$dir/right.txt" --output=left_out=- \
  --output="right_out=$dir/right_out.txt"
expect "a graph that is fed from files exits with 0" exits 0
printf '10 one\n20 two\\tand\\\\more\n' >"$dir/expected"
expect "a stream is on standard output" cmp "$dir/out" "$dir/expected"
expect "what is written reads as it was" cmp "$dir/right.txt" "$dir/right_out.txt"
expect "the summary counts" says err "1 node sent 1002 packets"

# More than queues hold: the join must not wait for the file that is late.
printf '1000000 late\n' >"$dir/late.txt"
seq 20000 | sed 's/$/ x/' >"$dir/many.txt"
run --graph="$dir/join.pbtxt" --input=left="$dir/late.txt" --input=right="$dir/many.txt" \
  --output=right_out=-
expect "a file that begins late holds nobody up" exits 0
expect "everything passes" cmp "$dir/many.txt" "$dir/out"

run "${join[@]}" --input=right=/dev/null --output=left_out=-
expect "a stream without packets is no hindrance" exits 0
expect "the other one passes" says out "10 one"

# Packets that nobody processed.
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
run --graph="$dir/loop.pbtxt" --input=in="$dir/left.txt"
expect "a loop that nobody begins ends with 1" exits 1
line='run_graph: node "join" dropped 2 packets of ":0:in" (2 still waited when the run ended)'
expect "the summary says what was left, with the reason" grep -qxF "$line" "$dir/err"
expect "it says what that waited for" says err 'waits for stream "loop"'
{
  echo 'input_stream_handler { input_stream_handler: "EarlyCloseInputStreamHandler" }'
  cat "$dir/join.pbtxt"
} >"$dir/early.pbtxt"
run --graph="$dir/early.pbtxt" --input=left="$dir/left.txt" --input=right=/dev/null
expect "a node that closes early ends with 0" exits 0
expect "the summary says what it dropped" says err \
  'node "PassThroughCalculator" dropped 2 packets of ":0:left"'
expect "without a warning: that is its rule" test -z "$(grep "never processed" "$dir/err")"

run "${join[@]}" --input=right="$dir/right.txt" --explore=3
expect "--explore reads the files, too" exits 0
expect "it says so" says err "3 schedules"
run "${join[@]}" --input=right="$dir/right.txt" --explore=3 --output=left_out=-
expect "--explore with --output is a usage error" exits 2

run "${join[@]}"
expect "an input without a file exits with 1" exits 1
expect "it is named, with the flag" says err '--input=right=FILE'
run "${join[@]}" --input=right
expect "an input without FILE is a usage error" exits 2
expect "it says how to write it" says err "STREAM=FILE"
run "${join[@]}" --input=rihgt="$dir/right.txt"
expect "an unknown input is a usage error" exits 2
expect "the nearest is offered" says err 'Did you mean "right"'
run "${join[@]}" --input=zebra="$dir/right.txt"
expect "where none is near, all are listed" says err 'Known are "left" and "right".'
run "${join[@]}" --input=left="$dir/right.txt"
expect "an input with two files is a usage error" exits 2
run "${join[@]}" --input=right="$dir/absent.txt"
expect "a missing file exits with 1" exits 1
expect "it is named" says err "absent.txt"
run "${join[@]}" --input=right="$dir"
expect "a folder as a file exits with 1" exits 1
run "${join[@]}" --input=right=/dev/zero
expect "an endless line exits with 1" exits 1
run "${join[@]}" --input=right="$dir/right.txt" --output=left_ou=-
expect "an unknown stream is a usage error" exits 2
expect "the nearest is offered" says err 'Did you mean "left_out"'
run "${join[@]}" --input=right="$dir/right.txt" --output=left_out=- --output=right_out=-
expect "two streams into one file are a usage error" exits 2
run "${join[@]}" --input=right="$dir/right.txt" --output=left_out="$dir/no/such/x"
expect "a file that cannot be written exits with 1" exits 1
expect "it is named" says err "no/such/x"
if [[ -e /dev/full ]]; then
  run "${join[@]}" --input=right="$dir/right.txt" --output=right_out=/dev/full
  expect "a full disk exits with 1" exits 1
fi

printf '20 late\n10 early\n' >"$dir/back.txt"
run "${join[@]}" --input=right="$dir/back.txt"
expect "timestamps that go back exit with 1" exits 1
expect "the stream is named" says err '"right"'
expect "file and line are named" says err "back.txt:2: "
expect "the line before is named" says err "timestamp 10 comes after 20 in line 1"
run "${join[@]}" --input=right="$dir/back.txt" --explore=3
expect "so they are with --explore" says err "back.txt:2: "
printf '20 one\n# so far\n20 two\n' >"$dir/again.txt"
run "${join[@]}" --input=right="$dir/again.txt"
expect "a timestamp twice exits with 1" exits 1
expect "file and line are named" says err "again.txt:3: "
printf 'PreStream one\n20 two\n' >"$dir/last.txt"
run "${join[@]}" --input=right="$dir/last.txt"
expect "a packet after the only one exits with 1" exits 1
expect "file and line are named" says err "last.txt:2: "
printf '10 one\nten one\n' >"$dir/broken.txt"
run "${join[@]}" --input=right="$dir/broken.txt"
expect "a broken line exits with 1" exits 1
expect "file and line are named" says err "broken.txt:2"
expect "the word is named" says err '"ten" is no timestamp'
run "${join[@]}" --input=right="$run_graph"
expect "a file of anything exits with 1" exits 1

# --- What is logged
run --graph="$dir/loop.pbtxt" --input=in="$dir/many.txt"
expect "a deadlock exits with 1" exits 1
expect "it is explained" says err 'waits for stream "loop"'
expect "queues that grow a thousand times are told of thrice" \
  test "$(grep -c 'increasing max_queue_size' "$dir/err")" -eq 3
expect "the log needs no explanation" test -z "$(grep InitGoogleLogging "$dir/err")"

# The graph lives until the pipe is closed, which is when its line is seen.
if command -v script >/dev/null; then
  mkfifo "$dir/pipe"
  command=$(printf '%q ' "$run_graph" "${join[@]}" --input=right="$dir/pipe")
  script -qfec "$command" "$dir/terminal" </dev/null >/dev/null 2>&1 &
  exec 3>"$dir/pipe"
  for _ in $(seq 600); do
    grep -q "packets sent" "$dir/terminal" 2>/dev/null && break
    sleep 0.1
  done
  exec 3>&-
  wait $!
  status=$?
  expect "a terminal shows progress" says terminal "packets sent"
  expect "and the summary" says terminal "run_graph: 1 node"
  expect "the run succeeds" exits 0
fi
program=$1

run
expect "no graph is a usage error" exits 2
expect "it says what to do" says err "--graph=FILE"

run --grahp="$good"
expect "an unknown flag is a usage error" exits 2
expect "the nearest is offered" says err 'there is no flag --grahp. Did you mean --graph?'
run --graph="$good" --explore=many
expect "a flag that does not read is a usage error" exits 2
expect "the flag, the value and its meaning are named" says err \
  '--explore cannot be "many". It is: run the graph in so many orders'
run --graph
expect "a flag without a value is a usage error" exits 2
expect "it is named" says err '--graph needs a value'
run --graph="$good" --nocheck
expect "flags of the library's forms are known" exits 0

run "$good"
expect "a stray argument is a usage error" exits 2
expect "it is named" says err "unexpected argument"

run --graph="$dir/absent.pbtxt" --check
expect "a missing file exits with 1" exits 1
expect "the file is named" says err "absent.pbtxt"
BUILD_WORKING_DIRECTORY=/home/me run --graph=absent.pbtxt
expect "in bazel run, the whole path is offered" says err ": /home/me/absent.pbtxt"
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

cat >"$dir/template.pbtxt" <<'END'
%param last: 2%
%for (name : names)%
node {
  calculator: "CountToCalculator"
  output_stream: % name %
  node_options { [type.googleapis.com/mediapipe.CountToCalculatorOptions] { last: % last % } }
}
%end%
END
run --graph="$dir/template.pbtxt" --template_args="names=a;b" --template_args=last=3 --check
expect "a template is expanded with its arguments" exits 0
expect "the second node is there" says out '"b"'
run --graph="$dir/template.pbtxt" --check
expect "a parameter without a value exits with 1" exits 1
expect "file, line and column are named" says err 'template.pbtxt:2:1: '
expect "the parameter is named" says err 'parameter "names" has no value'
run --graph="$dir/template.pbtxt" --template_args=names
expect "an argument without a value is a usage error" exits 2

cat >"$dir/periodic.pbtxt" <<'END'
output_stream: "number"
clock { type: "ManualClock" }
node {
  calculator: "CountToCalculator"
  output_stream: "number"
  node_options { [type.googleapis.com/mediapipe.CountToCalculatorOptions] { last: 20 } }
  condition {
    type: "PeriodicCondition"
    options { [syncline.PeriodicConditionOptions.ext] { recess_period: "1h" } }
  }
  condition {
    type: "CountCondition"
    options { [syncline.CountConditionOptions.ext] { count: 3 } }
  }
}
END
run --graph="$dir/periodic.pbtxt" --output=number=-
expect "conditions and clocks need no library of their own" exits 0
expect "a node is called as often as its condition lets it" test "$(wc -l <"$dir/out")" -eq 3

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

finish_test
