#!/usr/bin/env bash
# The example as its users see it: one problem, a table of all, and every way of failing.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
attention=$FSATTN_BIN/attention
make_cache=$FSATTN_BIN/../tests/make_cache

"$make_cache" "$work/good.fsc" "hq=4 hkv=2 sq=70 sk=70 d=64" "hq=2 hkv=2 sq=33 sk=65 d=128 mask=causal lse=1" \
    "b=2 hq=2 hkv=1 sq=16 sk=40 d=64 layout=bhsd"
"$make_cache" "$work/wrong.fsc" --wrong "hq=2 hkv=2 sq=20 sk=20 d=64"

expect 0 "$attention" --all "$work/good.fsc"
[ "$(grep -c '^tuned .* right ' "$work/out")" -eq 3 ] || fail "three tuned problems, all right"
out_has "^3 problems, 0 bad$"

expect 0 "$attention" "$work/good.fsc" hq=4 hkv=2 sq=70 sk=70 d=64
out_has "^plan           tuned"
out_has "^right$"
expect 0 "$attention" "$work/good.fsc" hq=4 hkv=2 sq=140 sk=140 d=64
out_has "^plan           nearest (distance 2)"

expect 1 "$attention" --all "$work/wrong.fsc"
out_has WRONG
out_has "^1 problems, 1 bad$"
expect 1 "$attention" "$work/wrong.fsc" hq=2 hkv=2 sq=20 sk=20 d=64
out_has "^WRONG$"

expect 1 "$attention" "$work/good.fsc" hq=4 hkv=2 sq=70 sk=70 d=32
err_has "no plan for attention_fwd"
expect 1 "$attention" --all "$work/absent.fsc"
err_has "absent.fsc: No such file"
expect 2 "$attention" --device bogus "$work/good.fsc"
err_has "^attention: --device: expected host, hip or sim, got 'bogus'$"
ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1 expect 1 "$attention" "$work/good.fsc" hq=4 hkv=2 sq=1000000000 sk=1000000000 d=64
err_has "no memory for the tensors"
err_has "choose a smaller problem"
if [ -z "$(find /opt/rocm* -name libamdhip64.so.7 2>/dev/null)" ]; then
    expect 1 "$attention" --device hip "$work/good.fsc"
    err_has "without one: --device sim"
fi
chmod 666 "$work/good.fsc"
expect 1 "$attention" --all "$work/good.fsc"
err_has "others may write it"
err_has "chmod go-w"
expect 2 "$attention"
err_has "^usage: attention"
expect 2 "$attention" "$work/good.fsc" hqq=4
err_has "did you mean 'hq'"
expect 0 "$attention" --help
out_has "^usage: attention"
