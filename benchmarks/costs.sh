#!/bin/bash
# costs.sh [--workloads] [FOLDER]: measures what a call of a node costs besides
# time. FOLDER holds the programs invocation_costs and run_workload (default:
# that of this script). Prints a line per figure, name and number:
#
#   allocations, lock_pairs, clock_reads  per call, chain of 10, one thread
#   instructions                          the same, with callgrind
#   atomic_updates                        the same: instructions that read and
#                                         write memory atomically; objdump says
#                                         which do
#   futex_wakeups_N                       threads that futex calls woke, per
#                                         packet that the application sends
#                                         through 10 nodes on a pool of N
#                                         threads and waits for; with strace
#   futex_calls_N                         the calls that were made for that
#   cache_misses_N                        per call, N nodes in layers, one thread:
#                                         misses of a second-level cache of 1 MB
#                                         that callgrind simulates, which fetches
#                                         nothing ahead
#   cache_misses_ratio                    those of 10,000 nodes / of 1,000
#   futex_wakeups_until_idle_N            the same through one node, where the
#                                         application waits until the graph is
#                                         idle
#
#   live_graph_ratio                      a call in the graph of
#                                         examples/pedestrians, whose
#                                         calculators do nothing, / one in the
#                                         chain of 10; with OpenCV
#
# Each figure but the last is the difference of two runs of different length, so
# that the costs of starting a run are left out.  If a tool is missing, its lines
# are left out.  strace makes everything slower, so locks are found taken more
# often than without it.
#
# With --workloads it prints instructions per call for each workload of compare
# that one thread runs, as a table: workload, threads, instructions.  With the
# FOLDER of another commit's build it is that commit's table, with a dash where
# it has no such workload.  Takes some minutes.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
workloads=
if [[ ${1:-} == --workloads ]]; then
  workloads=1
  shift
fi
case ${1:-} in
  --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
  -*) echo "costs.sh: no option \"$1\"; --help says what there is" >&2; exit 2 ;;
esac
programs=${1:-$here}
# Under `bazel run`, the programs are in the folder in which the command was
# started.
[[ -x $programs/run_workload ]] || programs=$PWD/benchmarks
lister=$here
[[ -x $lister/run_workload ]] || lister=$PWD/benchmarks
scratch=$(mktemp -d "${TMPDIR:-/tmp}/syncline-costs.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# LONG SHORT PACKETS CALLS: (LONG - SHORT) / (PACKETS * CALLS)
per_call() {
  awk -v long="$1" -v short="$2" -v packets="$3" -v calls="$4" \
    'BEGIN { printf "%.3f\n", (long - short) / (packets * calls) }'
}

# WORKLOAD THREADS PACKETS
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$programs/run_workload" "$1" "$2" "$3" 2>&1 >/dev/null |
    awk '/Collected/ { print $NF }'
}

# WORKLOAD THREADS PACKETS: the number of executed instructions with a lock
# prefix, and of xchg with memory, which needs none. In the profile, a line after
# calls= is the cost of the function that is called, and counted there.
atomic_updates() {
  valgrind --tool=callgrind --dump-instr=yes --compress-pos=no \
    --compress-strings=no --callgrind-out-file="$scratch/profile" \
    "$programs/run_workload" "$1" "$2" "$3" >/dev/null 2>&1
  local object
  while read -r object; do
    [[ -r $object ]] || continue
    [[ -e $scratch/atomics ]] && grep -qF "object $object" "$scratch/atomics" &&
      continue
    echo "object $object"
    objdump -d --no-show-raw-insn "$object" |
      awk '/\tlock / || /\txchg .*\(/ { sub(":", "", $1); print "0x" $1 }'
  done < <(sed -n 's/^ob=//p' "$scratch/profile" | sort -u) \
    >>"$scratch/atomics"
  awk '
    FNR == NR && /^object / { object = substr($0, 8); next }
    FNR == NR { atomic[object, $1]; next }
    /^ob=/ { object = substr($0, 4) }
    /^0x/ && !after_calls && (object, $1) in atomic { sum += $NF }
    { after_calls = /^calls=/ }
    END { printf "%d\n", sum }' "$scratch/atomics" "$scratch/profile"
}

# WORKLOAD THREADS PACKETS: misses of the simulated second-level cache, for
# instructions, reads and writes. They are the last three of the totals.
cache_misses() {
  valgrind --tool=callgrind --cache-sim=yes --LL=1048576,16,64 \
    --callgrind-out-file=/dev/null \
    "$programs/run_workload" "$1" "$2" "$3" 2>&1 >/dev/null |
    awk '/Collected/ { print $(NF - 2) + $(NF - 1) + $NF }'
}

workload_table() {
  local workload threads short long calls
  while IFS=$'\t' read -r workload threads short long calls; do
    if ! "$programs/run_workload" "$workload" "$threads" 1 >/dev/null 2>&1; then
      printf '%s\t%s\t-\n' "$workload" "$threads"
      continue
    fi
    printf '%s\t%s\t%s\n' "$workload" "$threads" "$(per_call \
      "$(instructions "$workload" "$threads" "$long")" \
      "$(instructions "$workload" "$threads" "$short")" \
      $((long - short)) "$calls")"
  done < <("$lister/run_workload" --countable)
}

# WORKLOAD THREADS PACKETS: the number of FUTEX_WAKE calls, and the number of threads
# that they woke. If another thread interrupts a call, the call has two lines in
# the trace.
wakeups() {
  strace -f -qq -e trace=futex -o "$scratch/trace" \
    "$programs/run_workload" "$1" "$2" "$3" >/dev/null
  awk '
    /FUTEX_WAKE/ { ++calls; waking[$1] = 1 }
    /unfinished/ { next }
    waking[$1] && / = [0-9]+$/ { woken += $NF }
    { waking[$1] = 0 }
    END { print calls + 0, woken + 0 }' "$scratch/trace"
}

if [[ -n $workloads ]]; then
  command -v valgrind >/dev/null || {
    echo "costs.sh: --workloads needs valgrind: apt install valgrind" >&2
    exit 1
  }
  workload_table
  exit 0
fi

"$programs/invocation_costs" 20000
if [[ -x $programs/../examples/pedestrians/live_graph_ratio ]]; then
  (cd "$programs/.." && examples/pedestrians/live_graph_ratio)
else
  echo "costs.sh: no live graph measured: OpenCV is not installed" >&2
fi
if command -v valgrind >/dev/null; then
  printf 'instructions %s\n' \
    "$(per_call "$(instructions "chain of 10" 1 6000)" \
      "$(instructions "chain of 10" 1 2000)" 4000 10)"
  small=$(per_call "$(cache_misses "1000 nodes in layers" 1 24)" \
    "$(cache_misses "1000 nodes in layers" 1 4)" 20 1000)
  large=$(per_call "$(cache_misses "10000 nodes in layers" 1 4)" \
    "$(cache_misses "10000 nodes in layers" 1 2)" 2 10000)
  printf 'cache_misses_1000 %s\ncache_misses_10000 %s\n' "$small" "$large"
  printf 'cache_misses_ratio %s\n' "$(per_call "$large" 0 "$small" 1)"
  if command -v objdump >/dev/null; then
    printf 'atomic_updates %s\n' \
      "$(per_call "$(atomic_updates "chain of 10" 1 6000)" \
        "$(atomic_updates "chain of 10" 1 2000)" 4000 10)"
  else
    echo "costs.sh: no atomic updates counted: objdump is not installed" >&2
  fi
else
  echo "costs.sh: no instructions counted: valgrind is not installed" >&2
fi
if command -v strace >/dev/null; then
  for threads in 1 2; do
    read -r short_calls short_woken \
      <<<"$(wakeups "one packet through 10" "$threads" 500)"
    read -r long_calls long_woken \
      <<<"$(wakeups "one packet through 10" "$threads" 2500)"
    printf 'futex_wakeups_%s %s\n' "$threads" \
      "$(per_call "$long_woken" "$short_woken" 2000 1)"
    printf 'futex_calls_%s %s\n' "$threads" \
      "$(per_call "$long_calls" "$short_calls" 2000 1)"
    read -r _ short_woken <<<"$(wakeups "one packet until idle" "$threads" 500)"
    read -r _ long_woken <<<"$(wakeups "one packet until idle" "$threads" 2500)"
    printf 'futex_wakeups_until_idle_%s %s\n' "$threads" \
      "$(per_call "$long_woken" "$short_woken" 2000 1)"
  done
else
  echo "costs.sh: no wake-ups counted: strace is not installed" >&2
fi
