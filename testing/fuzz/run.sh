#!/bin/bash
# run.sh [SECONDS [FUZZER]]: fuzzes the plan compiler (compile_fuzzer, the
# default) or graph templates (template_fuzzer), 600 seconds by default, starting
# from every graph of the tree. Findings are left in the current folder as
# crash-*, timeout-*, leak-* and oom-* files; what was learnt is kept in
# ~/.cache/syncline/fuzz for the next run. Needs clang 14 (./setup --clang).
set -euo pipefail

root=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
seconds=${1:-600}
fuzzer=${2:-compile_fuzzer}
learnt=${XDG_CACHE_HOME:-$HOME/.cache}/syncline/fuzz/$fuzzer
mkdir -p "$learnt"

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
git -C "$root" ls-files -z -- '*.pbtxt' '*.textproto' |
  while IFS= read -r -d '' graph; do
    cp "$root/$graph" "$seeds/${graph//\//_}"
  done

(cd "$root" && ./bazelw build --config=fuzz "//testing/fuzz:$fuzzer")
binary=$(cd "$root" &&
  bazel cquery --config=fuzz --output=starlark \
    --starlark:expr='target.files.to_list()[0].path' \
    "//testing/fuzz:$fuzzer" 2>/dev/null)
# A stack of a quarter of the usual shows what calls itself for each level of an
# input, even with the sanitizer's large frames.
ulimit -s 2048
# Without -entropic=0 libFuzzer spends most of the time on its own
# bookkeeping.
nice -n 10 "$root/$binary" -max_total_time="$seconds" -timeout=10 \
  -rss_limit_mb=4096 -max_len=1048576 -entropic=0 -print_final_stats=1 \
  "$learnt" "$seeds"
