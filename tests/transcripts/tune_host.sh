#!/usr/bin/env bash
# The whole way on this processor: real compilations, real measurements, winners through libfsattn; a repeated run repeats
# nothing, another process count changes nothing, and the default of a problem is always there to serve.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CACHE_HOME=$folder/cache
tune() {
    "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --problem small_causal --store "$folder/t.db" --cache "$folder/h.fsc" "$@"
}
last() {
    tail -n 1 "$folder/$1" | tr ',{}' '\n\n\n' | sed -n "s/^\"$2\":\(.*\)\$/\1/p"
}
fail() {
    echo "tune_host: $*" >&2
    exit 1
}
tune --json --evaluations 4 --budget 200 >"$folder/first" 2>"$folder/log" || { cat "$folder/log"; fail "first run: exit status $?"; }
[ "$(last first event)" = '"done"' ] || fail "the last line is not the done event: $(tail -n 1 "$folder/first")"
[ "$(last first winners)" -ge 1 ] || fail "no winner"
[ "$(last first compiled)" -ge 3 ] || fail "compiled $(last first compiled) candidates"
tune --json --evaluations 4 --budget 200 >"$folder/second" 2>"$folder/log" || { cat "$folder/log"; fail "second run: exit status $?"; }
[ "$(last second compiled)" = 0 ] || fail "the second run compiled $(last second compiled)"
[ "$(last second measured)" = 0 ] || fail "the second run measured $(last second measured)"
"$FSATTN_BIN/attention" --all "$folder/h.fsc" >"$folder/served" || { cat "$folder/served"; fail "the winners do not run"; }
grep -q tuned "$folder/served" || fail "no plan is tuned: $(cat "$folder/served")"
# A range on this processor: what lies between the measured shapes is served by an interval, which says its price.
sed 's/^  - {name: small, .*/  - {name: ranged, h: 2, d: 64, s: {from: 64, to: 256, step: 64, shapes: 3}}/; s/\[small, /[ranged, /' \
    "$FSATTN_SOURCE/spaces/host.yaml" >"$folder/ranged.yaml"
"$FSATTN_BIN/fsattn-tune" "$folder/ranged.yaml" --templates "$FSATTN_SOURCE/templates" --problem ranged --store "$folder/r.db" --cache "$folder/r.fsc" \
    --evaluations 9 --budget 200 >"$folder/out" 2>"$folder/log" || { cat "$folder/log"; fail "a range: exit status $?"; }
grep -q '^ranged\[s=64..256\]  s 64 .. [0-9]*: at most ' "$folder/out" || { cat "$folder/out"; fail "no interval"; }
for size in 64 100 200 255; do
    "$FSATTN_BIN/attention" "$folder/r.fsc" hq=2 hkv=2 sq=$size sk=$size d=64 >"$folder/served" || { cat "$folder/served"; fail "size $size does not run"; }
    case $size in 64) source=tuned ;; *) source=interval ;; esac
    grep -q "^plan  *$source (" "$folder/served" || { cat "$folder/served"; fail "size $size is not served as $source"; }
done
# A template that cannot make its default ends the run at once, with the cause, also the second time.
broken() { # pattern
    local status=0
    "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --templates "$folder/templates" --problem small_causal --store "$folder/b.db" \
        --cache "$folder/b.fsc" --evaluations 9 >"$folder/out" 2>"$folder/log" || status=$?
    [ "$status" -eq 2 ] || { cat "$folder/log"; fail "exit $status with a broken template"; }
    grep -q "$1" "$folder/log" || { cat "$folder/log"; fail "a broken template: no '$1'"; }
    [ "$(grep -c '^fsattn-tune' "$folder/log")" = 1 ] || fail "more than one cause"
}
cp -r "$FSATTN_SOURCE/templates" "$folder/templates"
body=$folder/templates/attention_host/kernel.c.in
echo '% error("boom")' >>"$body"
broken "^fsattn-tune: small_causal: the default configuration cannot be rendered: attention_host/kernel.c.in:$(wc -l <"$body"): boom$"
sed -i '$s/.*/% include("gone.in")/' "$body"
broken "cannot be rendered: attention_host/kernel.c.in:.*there is no file 'gone.in'"
sed -i '$s/.*/int kernel_ends = here;/' "$body"
for time in first second; do
    broken "^fsattn-tune: small_causal: the default configuration cannot be built: kernel.c:[0-9:]* error: .*here"
done
# A kernel of another ABI is not called.
cp "$FSATTN_SOURCE/templates/attention_host/kernel.c.in" "$body"
sed -i 's/abi = 1,/abi = 7,/' "$folder/templates/attention_host/manifest.lua"
! "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --templates "$folder/templates" --problem small_causal --store "$folder/b.db" \
    --cache "$folder/b.fsc" --evaluations 9 >"$folder/out" 2>&1 || fail "a kernel of ABI 7 is called"
grep -q "attention_host/manifest.lua: abi: kernels of ABI 7, and the device 'host' calls ABI 1$" "$folder/out" || fail "ABI 7: $(cat "$folder/out")"
cp "$FSATTN_SOURCE/templates/attention_host/manifest.lua" "$folder/templates/attention_host/"
# Rendering ends with the budget: a template that never ends costs no more, and nothing is said of the candidate.
default=$("$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --problem small_causal --render | sed -n 's/.*[ :]tile_m=\([0-9]*\).*/\1/p' | head -n 1)
sed -i "1i % if tile_m ~= $default then while true do end end" "$body"
"$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --templates "$folder/templates" --problem small_causal --store "$folder/e.db" \
    --cache "$folder/e.fsc" --budget 8 --strategy random --json >"$folder/out" 2>"$folder/log" || { cat "$folder/log"; fail "an endless template: exit $?"; }
! grep -q "rendering took" "$folder/out" || fail "a candidate was blamed for the end of the budget"
# Compilers that do not do.
compiler() { # CC, pattern
    ! CC=$1 tune --budget 3 >"$folder/out" 2>&1 || fail "went on with CC=$1"
    grep -q "$2" "$folder/out" || fail "CC=$1: $(cat "$folder/out")"
}
printf '#!/bin/sh\nexec sleep 100\n' >"$folder/sleeps"
printf '#!/bin/sh\n[ "$1" = --version ] && echo mine && exit\nexec sleep 100\n' >"$folder/half"
printf '#!/bin/sh\necho no\nexit 3\n' >"$folder/fails"
chmod +x "$folder"/{sleeps,half,fails}
compiler "$folder/sleeps" "sleeps': no answer to --version after 3 s"
grep -q "waiting: the C compiler has not answered" "$folder/out" || fail "silence while a compiler does not answer"
compiler "$folder/half" "half': no answer to -print-prog-name=cc1 after 3 s"
compiler "$folder/fails" "fails' does not run: --version: exit status 3"
compiler "cc -O2" "CC names one program"
CC=/nonexistent/cc "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --problem small_causal --store "$folder/u.db" --cache "$folder/u.fsc" --budget 5 >"$folder/out" 2>&1 && fail "went on without a compiler"
grep -q "the C compiler '/nonexistent/cc' does not run" "$folder/out" || fail "no compiler: $(cat "$folder/out")"
