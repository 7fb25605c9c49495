# Sourced by transcripts. Makes a folder `work` that is removed at the end, which is HOME too, and what they check with.
# Programs run from `expect` leave stdout in $work/out and stderr in $work/err.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_DATA_HOME=$work/data
fail() {
    echo "FAILED: $*" >&2
    tail -n 40 "$work/out" "$work/err" >&2 || true
    exit 1
}
# usage: expect STATUS COMMAND...
expect() {
    local expected=$1 status=0
    shift
    "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq "$expected" ] || fail "exit $status instead of $expected: $*"
}
out_has() { grep -q -- "$1" "$work/out" || fail "no '$1' in the output"; }
out_lacks() { ! grep -q -- "$1" "$work/out" || fail "'$1' in the output"; }
err_has() { grep -q -- "$1" "$work/err" || fail "no '$1' on stderr"; }
quiet() { [ ! -s "$work/err" ] || fail "something on stderr"; }
no_output() { [ ! -s "$work/out" ] || fail "something on stdout"; }
