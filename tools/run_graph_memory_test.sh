#!/bin/bash
# run_graph_memory_test.sh RUN_GRAPH: with less and less memory (`ulimit -v`),
# run_graph does its work or says why it cannot, and exits with 0 or 1. Fifty
# limits, from the least at which it checks an empty graph.
set -uo pipefail
run_graph=$PWD/$1
if grep -qE '__[at]san_init' "$run_graph"; then
  echo "skipped: a sanitizer needs the address space that is limited here"
  exit 0
fi
cd "$(mktemp -d "${TEST_TMPDIR:-/tmp}/memory.XXXXXX")" || exit 1

cat >empty.pbtxt </dev/null
cat >graph.pbtxt <<'END'
max_queue_size: 20000
input_side_packet: "count"
node {
  calculator: "CountingSourceCalculator"
  input_side_packet: "MAX_COUNT:count"
  output_stream: "n"
}
node { calculator: "PassThroughCalculator" input_stream: "n" output_stream: "p" }
node { calculator: "PassThroughCalculator" input_stream: "p" output_stream: "s" }
END

# limited KILOBYTES ARGS...
limited() {
  local limit=$1
  shift
  (ulimit -c 0 -v "$limit" && exec "$run_graph" "$@") >out 2>err </dev/null
}

low=1000
high=2000000
if ! limited $high --graph=empty.pbtxt --check; then
  echo "an empty graph is not checked with $high kB"
  cat err
  exit 1
fi
while ((high - low > 500)); do
  middle=$(((low + high) / 2))
  if limited $middle --graph=empty.pbtxt --check; then
    high=$middle
  else
    low=$middle
  fi
done
echo "an empty graph is checked from $high kB on"

failures=0
declare -A statuses
for i in $(seq 0 49); do
  limit=$((high + i * i * 100))
  rm -f o.syncline
  # Where there is room for a few packets there is for more of them, but each
  # takes malloc several system calls, as there is none for its tables.
  count=$((i < 30 ? 3000 : 300))
  limited $limit --graph=graph.pbtxt --input_side_packets=count=$count \
    --record=o.syncline '--record_streams=*'
  status=$?
  statuses[$status]=$((${statuses[$status]:-0} + 1))
  if ((status > 1)) || [[ $status == 1 && ! -s err ]]; then
    echo "FAILED with $limit kB: exit status $status"
    head -c 2000 err
    failures=$((failures + 1))
  fi
done
for status in "${!statuses[@]}"; do
  echo "exit status $status: ${statuses[$status]} times"
done
if [[ -z ${statuses[0]:-} ]]; then
  echo "FAILED: it never had enough memory"
  failures=$((failures + 1))
fi
exit $((failures > 0))
