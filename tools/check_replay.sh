#!/bin/bash
# check_replay.sh PROGRAM RECORDING [GRAPH]: the test of replay_test.bzl.
set -euo pipefail
exec "$1" --replay="$2" ${3:+--graph="$3"} --check
