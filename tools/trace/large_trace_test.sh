#!/bin/bash
# large_trace_test.sh TRACE WRITE_MADE_TRACE PACKETS SECONDS KILOBYTES: `trace
# stats` of 50 calls a packet, with about 300 events, takes no more than that.
set -euo pipefail
dir=${TEST_TMPDIR:-$(mktemp -d)}
"$2" "$dir/large.trace" "$3" 50 8
python3 - "$1" "$dir/large.trace" "$4" "$5" <<'END'
import resource, subprocess, sys, time

trace, path, most_seconds, most_kilobytes = sys.argv[1:]
start = time.monotonic()
out = subprocess.run([trace, "stats", path], check=True, capture_output=True, text=True)
seconds = time.monotonic() - start
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("\n".join(out.stdout.splitlines()[:3]))
print(f"{seconds:.2f} s, {kilobytes} KB")
if seconds > float(most_seconds) or kilobytes > int(most_kilobytes):
    sys.exit(f"that is more than {most_seconds} s or {most_kilobytes} KB")
END
rm "$dir/large.trace"
