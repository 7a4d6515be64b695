#!/bin/bash
# check_graph.sh PROGRAM GRAPH [--lint]: passes if GRAPH compiles to a plan with
# the calculators linked into PROGRAM, and with --lint if nothing in it is likely
# to stand still. The test behind calculator_graph().
set -euo pipefail
exec "$1" --graph="$2" --check "${@:3}"
