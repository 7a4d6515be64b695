#!/bin/bash
# run_graph_page_test.sh RUN_GRAPH: --page serves a page while the graph runs,
# and says what it cannot do.
set -uo pipefail
run_graph=$1
source "$(dirname "$0")/expect.sh"
export TMPDIR=$dir

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
for i in $(seq 100); do echo "$i word$i"; done >"$dir/in.txt"
mkfifo "$dir/typed"

run() {
  "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}
run_pass() {
  run "$run_graph" --graph="$dir/pass.pbtxt" --input=in="$dir/in.txt" \
    --output=out="$dir/out.txt" "$@"
}
# start ARGS...: in the background, its process in $pid.
start() {
  env --default-signal=INT,QUIT "$run_graph" --graph="$dir/pass.pbtxt" \
    --output=out="$dir/out.txt" "$@" >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
}
until_true() {
  for _ in $(seq 200); do
    "$@" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}
url() { sed -n 's/^run_graph: the page of the run is at //p' "$dir/err"; }
has_url() { [[ -n $(url) ]]; }
# get PATH: the answer into $dir/page; its HTTP status is printed.
get() {
  python3 - "$(url)" "$1" "$dir/page" <<'END'
import http.client, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(url.netloc, timeout=20)
connection.request("GET", sys.argv[2])
answer = connection.getresponse()
open(sys.argv[3], "wb").write(answer.read())
print(answer.status)
END
}
gets() { [[ $(get "$1") == "$2" ]]; }
page_says() { get "$1" >/dev/null && grep -qF -- "$2" "$dir/page"; }

# --- While the graph runs.
start --page --input=in="$dir/typed"
exec 3>"$dir/typed"
expect "the address of the page is told" until_true has_url
expect "it is one of this machine" grep -qE \
  'at http://127\.0\.0\.1:[0-9]+/$' "$dir/err"
expect "the page is there" gets / 200
expect "with the picture of the graph" page_says /picture.json '"name":"pass"'
expect "which is called by its file" page_says /picture.json pass.pbtxt
expect "the run goes on" page_says /state.json '"phase":"running"'
head -40 "$dir/in.txt" >&3
expect "the page has the packets that came" until_true page_says /metrics \
  'syncline_output_packets_total{node="pass",port=":0",stream="out"} 40'
expect "it controls nothing" gets /trace/recent 403
exec 3>&-
wait "$pid"
status=$?
expect "the run ends as ever" exits 0
expect "and sums up" says err "1 node sent 40 packets"

# --- A page that stays.
start --page --page_stay --page_control --input=in="$dir/in.txt"
expect "a page can stay" until_true says err "its page stays until Ctrl-C"
expect "it says that the run has ended" page_says /state.json '"phase":"ended"'
expect "with all packets" page_says /metrics \
  'syncline_graph_input_packets_total{stream="in"} 100'
expect "the last events can be saved" gets /trace/recent 200
kill -QUIT "$pid"
expect "Ctrl-\\ is answered, too" until_true says err "The run is over"
expect "and the page stays" gets /state.json 200
kill -INT "$pid"
wait "$pid"
status=$?
expect "until Ctrl-C; the run was good" exits 0
expect "and sums up" says err "1 node sent 100 packets"

# --- For others than this machine, with a token.
start --page --page_stay --page_address=0.0.0.0 --input=in="$dir/in.txt"
expect "a page for other machines stays, too" until_true \
  says err "its page stays until Ctrl-C"
expect "its address has a token" grep -qE '\?token=[0-9a-f]{32}$' "$dir/err"
port=$(sed -n 's/.*:\([0-9]*\)\/?token=.*/\1/p' "$dir/err" | head -1)
expect "without it there is nothing" python3 -c "
import sys, urllib.request, urllib.error
try:
    urllib.request.urlopen('http://127.0.0.1:$port/state.json')
except urllib.error.HTTPError as error:
    sys.exit(error.code != 401)
sys.exit(1)"
kill -INT "$pid"
wait "$pid"

# --- What cannot be.
python3 -c "
import socket, time
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen()
print(s.getsockname()[1], flush=True)
time.sleep(60)" >"$dir/port" &
holder=$!
expect "a port is taken" until_true test -s "$dir/port"
run_pass --page="$(<"$dir/port")"
expect "a port in use ends the run before it begins" exits 1
expect "with its number" says err "--page: Port $(<"$dir/port") of 127.0.0.1 is in use"
expect "and what to do" says err "choose another one"
kill "$holder"

run_pass --page=eighty
expect "a port is a number" exits 2
expect "as it says" says err "--page takes a port from 0 to 65535"
run_pass --page --page_address=here
expect "an address is in numbers" exits 2
expect "as it says, too" says err '"here" is no address'
run_pass --page_control
expect "what is for a page needs one" exits 2
run "$run_graph" --graph="$dir/pass.pbtxt" --check --page
expect "a page is of a run" exits 2
expect "which --check makes none of" says err "--check does not make"

# --- Without a flight recorder.
run_pass --page --flight_recorder=off
expect "a page needs no flight recorder" exits 0
finish_test
