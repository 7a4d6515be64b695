#!/bin/bash
# view_graph_test.sh VIEW_GRAPH: what view_graph writes, says and refuses.
set -uo pipefail
view_graph=$1
source "$(dirname "$0")/../expect.sh"
export TMPDIR=$dir
unset DISPLAY WAYLAND_DISPLAY

run() {
  "$view_graph" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "in"
node {
  name: "pass"
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
cat >"$dir/far.pbtxt" <<'END'
node {
  calculator: "FarAwayCalculator"
  output_stream: "OUT:</script><script>alert(1)</script>"
  options { [mediapipe.FarAwayOptions.ext] { size: 3 } }
}
END

# --- The page.
run "$dir/graph.pbtxt"
expect "a page is written" exits 0
page=$(cat "$dir/out")
expect "into a new file, whose name is printed" test -s "$page"
expect "which is HTML" grep -q '^<!doctype html>' "$page"
expect "with the graph" grep -q '"name":"pass"' "$page"
expect "and nothing that is fetched" test \
  "$(grep -cE 'https?://|src="|<link' <(grep -v 'www.w3.org' "$page"))" -eq 0
expect "nothing else is said" silent err
expect "only its user reads it" test "$(stat -c %a "$page")" = 600

run "$dir/graph.pbtxt" --output="$dir/page.html"
expect "--output names the file" exits 0
expect "which is printed" says out "$dir/page.html"
run "$dir/graph.pbtxt" --output=-
expect "- is standard output" says out '<!doctype html>'

run "$dir/far.pbtxt" --output="$dir/far.html"
expect "a calculator that nobody knows" exits 0
expect "is shown with its options as written" grep -qF 'size: 3' "$dir/far.html"
expect "its names are no markup" test "$(grep -c 'alert(1)</script>' "$dir/far.html")" -eq 0

printf 'node { calculator: "PassThroughCalculator" input_stream: "no" }' \
  >"$dir/wrong.pbtxt"
run "$dir/wrong.pbtxt" --output="$dir/wrong.html"
expect "a graph with an error has a page" exits 0
expect "which is told" says err 'the graph has'
expect "with the error in it" grep -q '"kind":"error"' "$dir/wrong.html"

# --- The browser.
mkdir "$dir/bin"
printf '#!/bin/sh\necho "$@" >%s\n' "$dir/opened" >"$dir/bin/xdg-open"
chmod +x "$dir/bin/xdg-open"
DISPLAY=:7 PATH=$dir/bin:$PATH run "$dir/graph.pbtxt" --output="$dir/page.html"
for _ in $(seq 100); do
  [[ -s $dir/opened ]] && break
  sleep 0.05
done
expect "the page is opened where there is a display" \
  grep -qxF "$dir/page.html" "$dir/opened"
rm -f "$dir/opened"
DISPLAY=:7 PATH=$dir/bin:$PATH run "$dir/graph.pbtxt" --open=false
sleep 0.3
expect "--open=false opens nothing" test ! -e "$dir/opened"
DISPLAY=:7 PATH=/nowhere run "$dir/graph.pbtxt" --output="$dir/page.html"
expect "without xdg-open the page is there" exits 0
expect "and a word says so" says err 'open the file in the browser yourself'

# --- What is refused.
run
expect "no graph" exits 2
run "$dir/graph.pbtxt" --outptu=x
expect "a flag that nobody knows" exits 2
run "$dir/missing.pbtxt"
expect "a file that is not there" exits 1
expect "is named" says err missing.pbtxt
printf 'node {' >"$dir/bad.pbtxt"
run "$dir/bad.pbtxt" --output="$dir/bad.html"
expect "a file that is no graph" exits 1
expect "has its place" says err 'bad.pbtxt:1'
expect "and no page" test ! -e "$dir/bad.html"
cp "$dir/graph.pbtxt" "$dir/same.pbtxt"
run "$dir/same.pbtxt" --output="$dir/same.pbtxt"
expect "the graph is not written over" exits 2
expect "and stays" cmp -s "$dir/graph.pbtxt" "$dir/same.pbtxt"
run "$dir/graph.pbtxt" --output="$dir/no/page.html"
expect "a folder that is not there" exits 1
run --help
expect "--help is there" says out 'usage: view_graph'
expect "on one screen" test "$(wc -l <"$dir/out")" -le 50
expect "of 80 columns" test "$(wc -L <"$dir/out")" -le 80
run --version
expect "--version is there" says out view_graph

finish_test
