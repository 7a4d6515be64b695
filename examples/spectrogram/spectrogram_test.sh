#!/bin/bash
# spectrogram_test.sh EXAMPLE_TEST README PROGRAM: the test of every example,
# the picture, and files that are not WAV files.
set -uo pipefail
"$1" "$2" "$3" || exit 1
program=$3
source tools/expect.sh
export TMPDIR=$dir

"$program" --output="$dir/whistle.ppm" >"$dir/out" 2>"$dir/err"
status=$?
expect "it writes the picture" exits 0
expect "which is a PPM of 247 frames and 257 bins" \
  test "$(head -1 "$dir/whistle.ppm")" = "P6 247 257 255"
expect "with three bytes for each" \
  test "$(stat -c %s "$dir/whistle.ppm")" = $((15 + 3 * 247 * 257))

"$program" --input="$dir/no_such.wav" >"$dir/out" 2>"$dir/err"
status=$?
expect "a file that is not there is an error" exits 1
expect "which names it" says err "no_such.wav"
expect "and nothing is printed" silent out

whistles=("$dir"/spectrogram.*/whistle.wav)
head -c 1000 "${whistles[0]}" >"$dir/cut.wav"
"$program" --input="$dir/cut.wav" >"$dir/out" 2>"$dir/err"
status=$?
expect "a file that is cut off is an error" exits 1
expect "which says so" says err "cut.wav\" is cut off"

"$program" --output=/no/such/folder/x.ppm >"$dir/out" 2>"$dir/err"
status=$?
expect "a picture that cannot be written is an error" exits 1
expect "which names it" says err "/no/such/folder/x.ppm"
finish_test
