#!/bin/bash
# large_trace_test.sh TRACE WRITE_MADE_TRACE: `trace stats` of 10 million events,
# of 2.5 million calls, takes at most 5 s and 500 MB.
set -euo pipefail
trace=$1
write=$2
dir=${TEST_TMPDIR:-$(mktemp -d)}
"$write" "$dir/large.trace" 50000 50 8
/usr/bin/time -f '%e s, %M KB' -o "$dir/used" \
  "$trace" stats "$dir/large.trace" >"$dir/out"
head -3 "$dir/out"
cat "$dir/used"
read -r seconds _ kilobytes _ <"$dir/used"
rm "$dir/large.trace"
if [[ ${seconds%.*} -ge 5 || $kilobytes -gt 500000 ]]; then
  echo "that is more than 5 s or 500 MB"
  exit 1
fi
