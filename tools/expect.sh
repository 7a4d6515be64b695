# expect.sh: sourced by tests of programs on the command line.
#
# The program's streams lie in $dir/out and $dir/err and its exit status in
# $status. A test ends with `finish_test`.
dir=${TEST_TMPDIR:-$(mktemp -d)}
status=-1
failures=0

# expect WHAT CONDITION...: one named check.
expect() {
  local what=$1
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "FAILED: $what (exit status $status)"
    sed 's/^/  out: /' "$dir/out" | head -5
    sed 's/^/  err: /' "$dir/err" | head -20
    failures=$((failures + 1))
  fi
}

# Conditions.
says() { grep -qF -- "$2" "$dir/$1"; }
silent() { [[ ! -s $dir/$1 ]]; }
exits() { [[ $status -eq $1 ]]; }

finish_test() {
  echo "$failures failed"
  exit $((failures > 0))
}
