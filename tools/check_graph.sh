#!/bin/bash
# check_graph.sh PROGRAM GRAPH: passes if GRAPH compiles to a plan with the
# calculators linked into PROGRAM. The test behind calculator_graph().
set -euo pipefail
exec "$1" --graph="$2" --check
