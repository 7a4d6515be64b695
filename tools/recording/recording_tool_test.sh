#!/bin/bash
# recording_tool_test.sh RECORDING RUN_GRAPH: what `recording` promises on the
# command line.
set -uo pipefail
recording=$1
run_graph=$2
source tools/expect.sh

run() {
  "$recording" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

cat >"$dir/graph.pbtxt" <<'END'
input_stream: "in"
node {
  calculator: "PassThroughCalculator"
  input_stream: "in"
  output_stream: "out"
}
END
for i in $(seq 10); do echo "$i line $i"; done >"$dir/in.txt"
"$run_graph" --graph="$dir/graph.pbtxt" --input=in="$dir/in.txt" \
  --record="$dir/a.syncline" --record_streams='*' 2>"$dir/err" || exit 1

run --help
expect "--help exits with 0" exits 0
expect "--help explains itself" says out "usage: recording"
run info "$dir/a.syncline"
expect "info exits with 0" exits 0
expect "it lists the streams" grep -qE '^in +input +10 ' "$dir/out"
expect "it says how the run ended" says out "the run ended: OK"
run export "$dir/a.syncline" --streams=out
expect "export exits with 0" exits 0
expect "it writes CSV" says out "3,line 3"
run cut "$dir/a.syncline" --to=5 --out="$dir/b.syncline"
expect "cut exits with 0" exits 0
run diff "$dir/a.syncline" "$dir/b.syncline"
expect "diff exits with 1" exits 1
differs="of \"$dir/b.syncline\" differs from that of \"$dir/a.syncline\""
expect "it shows where" says out \
  "stream \"in\" $differs at its packet 6, timestamp 6: a packet less"
expect "and the packet" says out '  1st                     6  "line 6"'
expect "and that there is none" says out '  2nd   has ended'
run diff "$dir/a.syncline" "$dir/b.syncline" --to=5
expect "what is the same exits with 0" exits 0
expect "silently" silent out

run
expect "no command is a usage error" exits 2
run look "$dir/a.syncline"
expect "another command is a usage error" exits 2
expect "it is named" says err '"look"'
run exprot "$dir/a.syncline"
expect "the nearest is named" says err 'export'
for command in info cut diff export; do
  run "$command" --help
  expect "$command --help exits with 0" exits 0
  expect "it explains the command" says out "recording $command FILE"
done
run info "$dir/a.syncline" --out="$dir/x"
expect "a flag that has no effect is a usage error" exits 2
expect "it is named" says err "--out is not for info"
run export "$dir/a.syncline" --streams=out --sample_rate=5
expect "a rate of what is no sound is a usage error" exits 2
run export "$dir/a.syncline" --streams=out --format=xml
expect "another format is a usage error" exits 2
expect "it is named" says err '"xml"'
run cut "$dir/a.syncline" --out="$dir/x" --from=soon
expect "a bad timestamp is a usage error" exits 2
expect "its flag is named" says err '--from: "soon" is no timestamp'
run diff "$dir/a.syncline" "$dir/a.syncline" --from=5 --to=4
expect "a range without packets is a usage error" exits 2
run info "$dir/a.syncline" "$dir/a.syncline"
expect "info takes one file" exits 2
run info
expect "no file is a usage error" exits 2
run diff "$dir/a.syncline"
expect "diff needs two" exits 2
run cut "$dir/a.syncline"
expect "cut needs --out" exits 2
run export "$dir/a.syncline"
expect "export needs a stream" exits 2
run export "$dir/a.syncline" --streams=in --format=wav
expect "wav needs a file" exits 2

# --- Files that are no recordings, or no good ones: exit status 1, and a text
# that names the file.
refuses() { # WHAT FILE TEXT
  for command in info cut diff export; do
    case $command in
      cut) run cut "$2" --out="$dir/new.syncline" ;;
      diff) run diff "$dir/a.syncline" "$2" ;;
      export) run export "$2" --streams=out ;;
      *) run "$command" "$2" ;;
    esac
    expect "$command of $1 exits with 1" exits 1
    expect "$command of $1 names it" says err "$2"
    expect "$command of $1 says what is wrong" says err "$3"
    expect "$command of $1 is one line" test "$(wc -l <"$dir/err")" -eq 1
    rm -f "$dir/new.syncline"
  done
}
refuses "no file" "$dir/none" "there is no file"
refuses "a folder" "$dir" ""
refuses "another file" "$dir/graph.pbtxt" "no recording"
: >"$dir/empty"
refuses "an empty file" "$dir/empty" "no recording"
head -c 3000 "$dir/a.syncline" >"$dir/short.syncline"
refuses "a file that was cut short" "$dir/short.syncline" ""
# The version is the number at byte 60 of an SQLite file.
cp "$dir/a.syncline" "$dir/later.syncline"
printf '\0\0\0\143' | dd of="$dir/later.syncline" bs=1 seek=60 conv=notrunc 2>/dev/null
refuses "a later version" "$dir/later.syncline" "of version 99"
run export "$dir/a.syncline" --streams=ou
expect "an unknown stream exits with 1" exits 1
expect "file and stream are named" says err "a.syncline\" has no stream \"ou\""
expect "with the nearest name" says err '"out"'
run cut "$dir/a.syncline" --out="$dir/b.syncline"
expect "a file that is there is not overwritten" exits 1
expect "it is named" says err "b.syncline"
run export "$dir/a.syncline" --streams=out --out="$dir/no/such/folder.csv"
expect "a folder that is not there exits with 1" exits 1
expect "it is named" says err "no/such/folder.csv"
run export "$dir/a.syncline" --streams=out --format=images --out="$dir/images"
expect "strings are no images" exits 1
expect "the stream is named" says err 'stream "out" has no images but "string"'
run export "$dir/a.syncline" --streams=out --format=wav --out="$dir/x.wav" --sample_rate=8000
expect "strings are no sound" exits 1
expect "the stream is named" says err 'stream "out" has no matrices'
finish_test
