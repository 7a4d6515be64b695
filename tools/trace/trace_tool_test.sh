#!/bin/bash
# trace_tool_test.sh TRACE WRITE_MADE_TRACE: what `trace` promises on the command
# line.
set -uo pipefail
trace=$1
write=$2
source tools/expect.sh

run() {
  "$trace" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}
fits() { ! grep -qE '^.{81}' "$dir/out"; }
is_json() { python3 -m json.tool "$dir/out" >/dev/null; }
# Every line of CSV has as many fields as the first.
is_csv() {
  python3 - "$dir/out" <<'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
sys.exit(0 if len(rows) > 1 and len({len(row) for row in rows}) == 1 else 1)
END
}

"$write" "$dir/a.trace" 200 12 3 >"$dir/out" || exit 1
expect "the trace has events" grep -qE '^[0-9]{5} events' "$dir/out"
"$write" "$dir/b.trace" 300 12 2 >"$dir/out" || exit 1

# --- Help and the command line.
run --help
expect "--help exits with 0" exits 0
expect "--help explains itself" says out "usage: trace stats FILE"
expect "--help fits into 80 columns" fits
for command in stats latency jobs critical diff convert; do
  run "$command" --help
  expect "$command --help exits with 0" exits 0
  expect "it explains the command" says out "trace $command "
done
run
expect "no command is a usage error" exits 2
run stat "$dir/a.trace"
expect "another command is a usage error" exits 2
expect "the nearest is named" says err '"stats"'
run stats
expect "no file is a usage error" exits 2
run stats "$dir/a.trace" "$dir/a.trace"
expect "stats takes one file" exits 2
run diff "$dir/a.trace"
expect "diff needs two" exits 2
run stats "$dir/a.trace" --count=5
expect "a flag that has no effect is a usage error" exits 2
expect "it is named" says err "--count is not for stats"
run stats "$dir/a.trace" --format=xml
expect "another format is a usage error" exits 2
expect "it is named" says err '"xml"'
run stats "$dir/a.trace" --table=nodes
expect "--table without csv is a usage error" exits 2
run latency "$dir/a.trace" --skip_first=-1
expect "a negative number is a usage error" exits 2
run latency "$dir/a.trace" --latency_threshold_ms=9000000000000000000
expect "a number that is too large is a usage error" exits 2
run jobs "$dir/a.trace" --count=0
expect "no jobs at all are a usage error" exits 2
run latency "$dir/a.trace" --limited_tracking --log="$dir/x"
expect "a log without ways is a usage error" exits 2
run convert "$dir/a.trace"
expect "convert needs a form" exits 2
run convert "$dir/a.trace" --to=text
expect "convert needs a file" exits 2
run convert "$dir/a.trace" --to=pdf --output="$dir/x"
expect "another form is a usage error" exits 2
expect "it is named" says err '"pdf"'

# --- Reports.
for command in stats latency jobs critical; do
  run "$command" "$dir/a.trace" --format=text
  expect "$command exits with 0" exits 0
  expect "$command says something" says out node_
  expect "$command fits into 80 columns" fits
  expect "$command says nothing on standard error" silent err
  run "$command" "$dir/a.trace" --format=json
  expect "$command writes JSON" is_json
  expect "it says which report it is" says out "\"report\": \"$command\""
  run "$command" "$dir/a.trace" --format=csv
  expect "$command writes CSV" is_csv
done
run jobs "$dir/a.trace"
expect "jobs are JSON" is_json
run jobs "$dir/a.trace" --count=7
expect "--count says how many are looked at" says out '"samples": 7'
run stats "$dir/a.trace" --format=csv --table=threads
expect "csv has the table that is asked for" grep -q '^thread,tid,calls,' "$dir/out"
expect "with all threads" grep -q '^application,' "$dir/out"
run stats "$dir/a.trace" --format=csv --table=thread
expect "an unknown table is a usage error" exits 2
expect "the nearest is named" says err '"threads"'
run latency "$dir/a.trace" --skip_first=0 --skip_last=0 --log="$dir/log"
expect "latency exits with 0" exits 0
expect "the log has a line for each message" grep -qE '^\(node_0,[0-9.]+,[0-9.]+\) -> ' "$dir/log"
messages=$(grep -oE '^[0-9]+ messages' "$dir/out" | cut -d' ' -f1)
expect "for all of them" test "$(wc -l <"$dir/log")" -eq "$messages"
run latency "$dir/a.trace" --limited_tracking --format=json
expect "limited tracking has no steps" test "$(grep -c '"steps"' "$dir/out")" -eq 0
run diff "$dir/a.trace" "$dir/a.trace"
expect "diff exits with 0" exits 0
expect "nothing is slower" test "$(grep -c slower "$dir/out")" -eq 0
run diff "$dir/a.trace" "$dir/b.trace"
expect "diff of two exits with 0" exits 0
expect "it shows the number of calls" grep -qE 'node_0 .* 200 +300 ' "$dir/out"
expect "it fits into 80 columns" fits

# --- Other forms.
run convert "$dir/a.trace" --to=text --output="$dir/text"
expect "convert to text exits with 0" exits 0
line='^ +[0-9.]+ us  thread [0-9] .*PROCESS_BEGIN node "node_3" at 77$'
expect "each event is a line" grep -qE "$line" "$dir/text"
run convert "$dir/a.trace" --to=perfetto --output="$dir/a.pftrace"
expect "convert to perfetto exits with 0" exits 0
expect "it has the nodes" grep -qa node_11 "$dir/a.pftrace"
run convert "$dir/a.trace" --to=graph_profile --output="$dir/a.binarypb"
expect "convert to graph_profile exits with 0" exits 0
run stats "$dir/a.trace" --format=csv
cut -d, -f1,3 "$dir/out" | sort >"$dir/calls"
run stats "$dir/a.binarypb" --format=csv
expect "a GraphProfile is read" exits 0
cut -d, -f1,3 "$dir/out" | sort >"$dir/profile_calls"
expect "it has the same calls" cmp "$dir/calls" "$dir/profile_calls"
cp "$dir/a.trace" "$dir/c.trace"
run convert "$dir/c.trace" --to=text --output="$dir/c.trace"
expect "the trace itself is not written over" exits 2
expect "it is as it was" cmp -s "$dir/a.trace" "$dir/c.trace"
BUILD_WORKING_DIRECTORY=/home/me run stats none.trace
expect "under bazel run the whole path is asked for" says err \
  "give the whole path: /home/me/none.trace"
run convert "$dir/a.trace" --to=text --output="$dir/no/such/folder"
expect "a folder that is not there exits with 1" exits 1
expect "it is named" says err "no/such/folder"

for form in text perfetto graph_profile; do
  run convert "$dir/a.trace" --to=$form --output=/dev/full
  expect "a full disk exits with 1, in the form $form" exits 1
  expect "it is named, with the file" says err \
    '--output: cannot write "/dev/full": No space left on device'
  expect "and what to do" says err "check that there is room"
done
# As on a disk that is full later; 1 is at most a kilobyte.
echo old >"$dir/kept"
(ulimit -f 1; "$trace" convert "$dir/a.trace" --to=text --output="$dir/kept" \
  >"$dir/out" 2>"$dir/err")
status=$?
expect "a file that may not grow exits with 1" exits 1
expect "it is said" says err 'kept": File too large'
expect "the file stays as it was" grep -qx old "$dir/kept"
expect "nothing lies beside it" test "$(ls "$dir" | grep -c '^kept')" -eq 1
run latency "$dir/a.trace" --log=/dev/full
expect "so it is for a log" exits 1
expect "with its name" says err \
  '--log: cannot write "/dev/full": No space left on device'

"$trace" stats "$dir/a.trace" >/dev/full 2>"$dir/err"
status=$?
expect "and for standard output" exits 1
expect "with what to do" says err "standard output: check that it takes"

# --- A long trace as a GraphProfile takes little more memory than a short one,
# but for the file, which is mapped.
kilobytes() { # TRACE: the most memory that its conversion has at a time
  python3 - "$trace" "$1" "$dir/long.binarypb" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "convert", sys.argv[2], "--to=graph_profile",
                "--output=" + sys.argv[3]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}
grows_little() {
  local short long growth
  short=$(kilobytes "$dir/short.trace")
  long=$(kilobytes "$dir/long.trace")
  growth=$((($(wc -c <"$dir/long.trace") - $(wc -c <"$dir/short.trace")) / 1024))
  echo "$short kB and $long kB; the file grows by $growth kB"
  ((long - short < 3 * growth))
}
# A sanitizer keeps memory that was given back.
if ! grep -qE '__[at]san_init' "$trace"; then
  "$write" "$dir/short.trace" 2000 12 3 >"$dir/out" || exit 1
  "$write" "$dir/long.trace" 10000 12 3 >"$dir/out" || exit 1
  expect "a conversion does not need memory for all events" grows_little
  run stats "$dir/long.binarypb" --format=csv
  expect "and has all calls" grep -q ',10000,' "$dir/out"
  rm "$dir"/long.* "$dir/short.trace"
fi

# --- Traces that are not whole.
size=$(wc -c <"$dir/a.trace")
head -c $((size * 2 / 3)) "$dir/a.trace" >"$dir/short.trace"
run stats "$dir/short.trace"
expect "a trace that was cut off is read" exits 0
expect "with a note" says err "short.trace\" is not whole: its end is missing"
run stats "$dir/short.trace" --format=json
expect "JSON stays JSON" is_json
expect "and says so, too" says out '"cut_off": 1'

# --- Files that are no traces, or no good ones: exit status 1, and a text that
# names the file.
refuses() { # WHAT FILE TEXT
  for command in stats latency jobs critical diff convert; do
    case $command in
      diff) run diff "$dir/a.trace" "$2" ;;
      convert) run convert "$2" --to=text --output="$dir/new" ;;
      *) run "$command" "$2" ;;
    esac
    expect "$command of $1 exits with 1" exits 1
    expect "$command of $1 names it" says err "$2"
    expect "$command of $1 says what is wrong" says err "$3"
    expect "$command of $1 is one line" test "$(wc -l <"$dir/err")" -eq 1
    expect "$command of $1 writes nothing" test ! -e "$dir/new"
  done
}
refuses "no file" "$dir/none" "No such file"
refuses "a folder" "$dir" "directory"
echo 'node { }' >"$dir/graph.pbtxt"
refuses "another file" "$dir/graph.pbtxt" "is no trace"
: >"$dir/empty"
refuses "an empty file" "$dir/empty" "is no trace"
cp "$dir/a.trace" "$dir/later.trace"
printf '\143' | dd of="$dir/later.trace" bs=1 seek=8 conv=notrunc 2>"$dir/err"
refuses "a later version" "$dir/later.trace" "of version 99"
head -c 3000 "$dir/a.binarypb" | tr '\0\10' '\377\7' >"$dir/bad.binarypb"
refuses "a damaged GraphProfile" "$dir/bad.binarypb" "GraphProfile"
head -c 100 "$dir/a.trace" >"$dir/head.trace"
refuses "Perfetto's form" "$dir/a.pftrace" \
  "in Perfetto's form, which ui.perfetto.dev shows"
refuses "Perfetto's form" "$dir/a.pftrace" "give it the file that it was converted"
cat "$dir/a.trace" "$dir/a.trace" >"$dir/two.trace"
refuses "two traces in one file" "$dir/two.trace" "bytes follow, as of another trace"
refuses "a part of the head" "$dir/head.trace" "is damaged"
run convert "$dir/none" --to=text --output="$dir/a.trace"
expect "without a trace nothing is written over" cmp -s "$dir/a.trace" "$dir/c.trace"
finish_test
