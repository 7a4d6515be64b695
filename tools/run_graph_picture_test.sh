#!/bin/bash
# run_graph_picture_test.sh RUN_GRAPH: run_graph --picture: of a graph, of a run
# at its end and at Ctrl-\; and without Graphviz.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"

run() {
  "$run_graph" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

until_true() {
  for _ in $(seq 200); do
    "$@" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}

cat >"$dir/pass.pbtxt" <<'END'
input_stream: "in"
output_stream: "out"
node {
  name: "pass"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
printf '1 one\n2 two\n' >"$dir/in.txt"

# A program in place of Graphviz, and a folder without one.
mkdir "$dir/good" "$dir/none"
printf '#!/bin/sh\necho "<svg>"; cat\n' >"$dir/good/dot"
chmod +x "$dir/good/dot"
with_dot() { PATH=$dir/$1:$PATH run "${@:2}"; }

# --- A graph.
run --graph="$dir/pass.pbtxt" --check --picture="$dir/a.dot"
expect "a graph is drawn beside its plan" exits 0
expect "the plan is printed" says out 'plan: 1 node'
expect "the picture has the node" grep -q '<B>pass</B>' "$dir/a.dot"

sed 's/PassThrough/PassThrouhg/' "$dir/pass.pbtxt" >"$dir/bad.pbtxt"
run --graph="$dir/bad.pbtxt" --check --picture="$dir/bad.dot"
expect "a graph that does not compile" exits 1
expect "has its error" says err 'Did you mean'
expect "and is drawn all the same" grep -q 'PassThrouhgCalculator' \
  "$dir/bad.dot"
expect "with its error" grep -q 'Did you mean' "$dir/bad.dot"

cat >"$dir/far.pbtxt" <<'END'
node {
  calculator: "FarAwayCalculator"
  output_stream: "x"
  options { [mediapipe.FarAwayOptions.ext] { size: 3 } }
}
END
run --graph="$dir/far.pbtxt" --check --picture="$dir/far.dot"
expect "a graph with options of a type that is not there" exits 1
expect "has its error" says err 'far.pbtxt:4'
expect "and is drawn all the same" grep -q 'FarAwayCalculator' "$dir/far.dot"
expect "with its options" grep -q 'size: 3' "$dir/far.dot"
run --graph="$dir/far.pbtxt" --check --picture="$dir/far.pbtxt"
expect "but not over its file" exits 2
expect "which stays" grep -q FarAway "$dir/far.pbtxt"

# --- A run.
with_dot good --graph="$dir/pass.pbtxt" --input=in="$dir/in.txt" \
  --output=out="$dir/out.txt" --picture="$dir/run.svg"
expect "a run is drawn at its end" exits 0
expect "by Graphviz" grep -q '^<svg>' "$dir/run.svg"
expect "with what was sent" grep -q 'out <FONT[^>]*>2<' "$dir/run.svg"

mkfifo "$dir/pipe"
exec 3<>"$dir/pipe"
PATH=$dir/good:$PATH env --default-signal=INT,QUIT,TERM "$run_graph" \
  --graph="$dir/pass.pbtxt" --input=in="$dir/pipe" \
  --picture="$dir/quit.svg" >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
expect "a run that waits for its input" until_true says err 'has nothing more'
kill -QUIT "$pid"
expect "Ctrl-\\ draws it" until_true says err 'the picture is in'
expect "as a run that goes on" grep -q 'The run goes on' "$dir/quit.svg"
kill -INT "$pid"
wait "$pid"
status=$?
exec 3>&-
expect "Ctrl-C ends it" exits 130
expect "and draws it again" grep -q 'has been interrupted' "$dir/quit.svg"

# --- Graphviz that is not there.
PATH=$dir/none run --graph="$dir/pass.pbtxt" --input=in="$dir/in.txt" \
  --output=out="$dir/out2.txt" --picture="$dir/none.svg"
expect "without Graphviz" exits 1
expect "it says what to install" says err 'install Graphviz'
expect "the run was as always" cmp -s "$dir/out.txt" "$dir/out2.txt"
expect "and its summary is there" says err 'sent 2 packets'
expect "there is no SVG" test ! -e "$dir/none.svg"
expect "but the text for it" grep -q digraph "$dir/none.svg.dot"
PATH=$dir/none run --graph="$dir/pass.pbtxt" --input=in="$dir/in.txt" \
  --output=out="$dir/out2.txt" --picture="$dir/none.dot"
expect ".dot needs none" exits 0

# --- Flags.
run --graph="$dir/pass.pbtxt" --picture="$dir/a.png"
expect "another form is refused" exits 2
expect "with those that there are" says err '.svg, or in .dot'
cp "$dir/pass.pbtxt" "$dir/graph.dot"
run --graph="$dir/graph.dot" --check --picture="$dir/graph.dot"
expect "the graph is not drawn over itself" exits 2
expect "and stays" cmp -s "$dir/pass.pbtxt" "$dir/graph.dot"
run --graph="$dir/pass.pbtxt" --explore=3 --picture="$dir/b.dot"
expect "many runs have no picture" exits 2
run --list_types --picture="$dir/b.dot"
expect "nor has a list of types" exits 2

finish_test
