#!/usr/bin/env bash
# fsattn-rebuild by hand: a cache file from another processor made to run here, and every way of failing.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
rebuild=$FSATTN_BIN/fsattn-rebuild
attention=$FSATTN_BIN/attention
make_cache=$FSATTN_BIN/../tests/make_cache
problems=("hq=4 hkv=2 sq=70 sk=70 d=64" "hq=2 hkv=2 sq=33 sk=65 d=128 mask=causal lse=1" "b=2 hq=2 hkv=1 sq=16 sk=40 d=64 layout=bhsd")
export TMPDIR=$work XDG_CACHE_HOME=$work/cache

"$make_cache" "$work/foreign.fsc" --foreign "${problems[@]}"
expect 1 "$attention" "$work/foreign.fsc" hq=4 hkv=2 sq=70 sk=70 d=64
err_has "tomorrow"
expect 0 "$rebuild" "$work/foreign.fsc" --cache "$work/here.fsc"
out_has "^$work/here.fsc: 3 records compiled anew$"
quiet
expect 0 "$attention" --all "$work/here.fsc"
[ "$(grep -c '^tuned .* right ' "$work/out")" -eq 3 ] || fail "three records that run, all right"
expect 0 "$FSATTN_BIN/fsattn-cache" text "$work/here.fsc"
out_has "compiled anew, times of the record it comes from"
# Once more gives the same bytes.
expect 0 "$rebuild" "$work/foreign.fsc" --cache "$work/again.fsc"
cmp "$work/here.fsc" "$work/again.fsc" || fail "two runs, two files"
# With a compiler that is named.
expect 0 "$rebuild" "$work/foreign.fsc" --compiler gcc --cache "$work/gcc.fsc"

# What is wrong is left out, and nothing is published when nothing is left.
"$make_cache" "$work/wrong.fsc" --wrong --foreign "${problems[0]}"
expect 7 "$rebuild" "$work/wrong.fsc" --cache "$work/none.fsc"
err_has "^fsattn-rebuild: left out: .*sq=70 sk=70.*: compiled anew it is wrong: relative error"
err_has "nothing of it could be made to run here"
"$make_cache" "$work/wrong_lse.fsc" --wrong-lse --foreign "hq=1 hkv=1 sq=70 sk=70 d=64 lse=1"
expect 7 "$rebuild" "$work/wrong_lse.fsc" --cache "$work/none.fsc"
err_has "sq=70 sk=70.*: compiled anew it is wrong: a log-sum-exp is off by 0.5, 0.001 is allowed"
"$make_cache" "$work/sourceless.fsc" "${problems[0]}"
expect 7 "$rebuild" "$work/sourceless.fsc" --cache "$work/none.fsc"
err_has "sq=70 sk=70.*: has no source"
expect 3 "$rebuild" "$work/foreign.fsc" --compiler /nonexistent/cc --cache "$work/none.fsc"
err_has "/nonexistent/cc"
printf '#!/bin/sh\n[ "$1" != --version ] || exec cc --version\necho it is broken >&2\nexit 1\n' >"$work/broken-cc"
chmod 755 "$work/broken-cc"
expect 7 "$rebuild" "$work/foreign.fsc" --compiler "$work/broken-cc" --cache "$work/none.fsc"
err_has "broken"
# A machine that fails says nothing of a kernel.
printf '#!/bin/sh\n[ "$1" != --version ] || exec cc --version\necho "fatal error: error writing to kernel.o: No space left on device" >&2\nexit 1\n' >"$work/full-cc"
chmod 755 "$work/full-cc"
expect 4 "$rebuild" "$work/foreign.fsc" --compiler "$work/full-cc" --cache "$work/none.fsc"
! grep -q "left out" "$work/err" || fail "a kernel is blamed for the machine"

# Files that are none, or that nobody should trust.
expect 3 "$rebuild" "$work/absent.fsc" --cache "$work/none.fsc"
err_has "absent.fsc: No such file"
echo "not a cache" >"$work/text.fsc"
expect 5 "$rebuild" "$work/text.fsc" --cache "$work/none.fsc"
err_has "text.fsc"
head -c 2000 "$work/foreign.fsc" >"$work/short.fsc"
expect 5 "$rebuild" "$work/short.fsc" --cache "$work/none.fsc"
err_has "short.fsc"
chmod 666 "$work/foreign.fsc"
expect 5 "$rebuild" "$work/foreign.fsc" --cache "$work/none.fsc"
err_has "others may write it"
chmod 600 "$work/foreign.fsc"
expect 3 "$rebuild" "$work/foreign.fsc" --cache "$work/nowhere/none.fsc"
err_has "nowhere"
expect 7 "$rebuild" "$work/foreign.fsc" --device sim --library /nonexistent/lib.so --cache "$work/none.fsc"
err_has "/nonexistent/lib.so"
expect 3 "$rebuild" "$work/foreign.fsc" --device abacus --cache "$work/none.fsc"
err_has "abacus"
[ ! -e "$work/none.fsc" ] || fail "something was published"
expect 2 "$rebuild" "$work/foreign.fsc" --cache "$work/text.fsc"
err_has "^fsattn-rebuild: --cache: would be replaced, but is no sound cache file: .*text.fsc"
[ "$(cat "$work/text.fsc")" = "not a cache" ] || fail "a file of another kind was replaced"
ln -s foreign.fsc "$work/link.fsc"
for file in "$work/foreign.fsc" "$work/link.fsc"; do
    expect 2 "$rebuild" "$work/foreign.fsc" --cache "$file"
    err_has "--cache: $file is the file that is read"
done

expect 2 "$rebuild"
err_has "no cache file is named"
expect 2 "$rebuild" "$work/foreign.fsc"
err_has "cache is missing"
expect 2 "$rebuild" "$work/foreign.fsc" --cache "$work/none.fsc" --time-limit never
err_has "time-limit"
# Time that is over, while a compiler or a kernel runs, and a kernel that crashes: one line, and nothing is left.
printf '#!/bin/sh\n[ "$1" != --version ] || exec cc --version\n[ "$1" != -print-prog-name=cc1 ] || exec cc "$1"\nexec sleep 100\n' >"$work/slow-cc"
chmod 755 "$work/slow-cc"
expect 7 "$rebuild" "$work/foreign.fsc" --compiler "$work/slow-cc" --cache "$work/none.fsc" --time-limit 1
err_has "^fsattn-rebuild: the time limit is over, nothing was published$"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "more than one line"
"$make_cache" "$work/hangs.fsc" --hangs --foreign "${problems[0]}"
expect 7 "$rebuild" "$work/hangs.fsc" --cache "$work/none.fsc" --time-limit 3
err_has "^fsattn-rebuild: the time limit is over\\( while a kernel runs\\)\\?, nothing was published$" # a slow machine is still compiling
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "more than one line"
"$make_cache" "$work/crashes.fsc" --crashes --foreign "${problems[0]}"
expect 7 "$rebuild" "$work/crashes.fsc" --cache "$work/none.fsc"
err_has "^fsattn-rebuild: killed by signal .* while a kernel was compiled or run, nothing was published$"
[ ! -e "$work/none.fsc" ] || fail "something was published"
expect 0 "$rebuild" --help
out_has "^usage: fsattn-rebuild"
[ -z "$(find "$work" -maxdepth 1 \( -name "fsattn-*" -o -name "*.fsc.*" \))" ] || fail "a temporary folder or half a file is left"
