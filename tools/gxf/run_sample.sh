#!/bin/bash
# run_sample.sh PROGRAM GRAPH: passes if GRAPH runs to its end; sample_codelets.cc
# says what has to have happened by then.
set -euo pipefail
exec "$1" --graph="$2"
