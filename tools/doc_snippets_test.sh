#!/bin/bash
# doc_snippets_test.sh SCRIPT: a page's fences become tests, and a page that
# would quietly turn a test off is refused.
set -uo pipefail
script=$1
dir=${TEST_TMPDIR:-$(mktemp -d)}
failures=0

check() {
  local what=$1
  shift
  if "$@"; then echo "ok: $what"; else
    echo "FAILED: $what"
    failures=$((failures + 1))
  fi
}
convert() { python3 "$script" "$dir/page.md" >"$dir/out.cc" 2>"$dir/err"; }
refused() { ! convert && grep -qF "$1" "$dir/err"; }
has() { grep -qF -- "$1" "$dir/out.cc"; }

printf '%s\n' '# Page' '```cpp' '#include <vector>' 'int f() { return 1; }' '```' \
  '```cpp run' 'EXPECT_EQ(f(), 1);' '```' '```pbtxt' 'node {}' '```' \
  '```pbtxt fails' 'node { x }' '```' '```text' 'the error' '```' >"$dir/page.md"
check "a page is converted" convert
check "includes go to the top" has '#include <vector>'
check "statements become a test" has 'EXPECT_EQ(f(), 1);'
check "compiler errors name the page's line" has "#line 7 \"$dir/page.md\""
check "a graph must compile" has 'ExpectGraphCompiles'
check "a bad graph must fail with its error" has 'the error'

printf '%s\n' '```cpp rnu' '1;' '```' >"$dir/page.md"
check "a misspelt tag is refused" refused "unknown fence 'cpp rnu'"
printf '%s\n' '```cpp run' '1;' >"$dir/page.md"
check "a fence without an end is refused" refused "never closed"
printf '%s\n' '```pbtxt fails' 'x' '```' >"$dir/page.md"
check "a failing graph without its error is refused" refused "needs a text fence"
printf '%s\n' 'prose only' >"$dir/page.md"
check "a page without snippets is refused" refused "no snippet"

echo "$failures failed"
exit $((failures > 0))
