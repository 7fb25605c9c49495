#!/usr/bin/env bash
# A range of sizes on the simulator with kernels for gfx950 and two tiers: boundaries and prices of each, what serves between the measured
# shapes for an accuracy, and a second run that repeats nothing.
set -euo pipefail
users=$HOME # has the compiler
source "$FSATTN_SOURCE/tests/support/transcript.sh"
export HOME=$users
if ! "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >"$work/out" 2>&1; then
    echo "skipped: compiling for gfx950: $(head -n 1 "$work/out")"
    exit 77
fi
cd "$work"
cat >range.yaml <<'YAML'
template: attention_gfx950
device: sim
problems:
- {name: ranged, h: 1, s: {from: 128, to: 256, step: 64, shapes: 3}, d: 128, dtype: bf16}
parameters: {qk_format: [bf16, mxfp6], p_format: [bf16, mxfp6], v_format: [bf16, mxfp6], depth: [2]}
tiers:
  bf16: {qk_format: bf16, p_format: bf16, v_format: bf16}
  mxfp6: {qk_format: mxfp6, p_format: mxfp6, v_format: mxfp6}
strategy: exhaustive
accuracy: {max_relative_error: 0.25}
YAML
tune() { "$FSATTN_BIN/fsattn-tune" range.yaml --templates "$FSATTN_SOURCE/templates" --store range.db --cache range.fsc --budget 3600 "$@"; }
expect 0 tune
# Three shapes, two configurations each, and each compiled once.
[ "$(grep -c '^ranged\[s=[0-9]*\] .*x  ' "$work/out")" -eq 3 ] || fail "three shapes"
out_has "^done after .*: 2 compiled, 6 measured, 0 resumed, 3 winners$"
out_has "^ranged\[s=128..256\]  s 128 .. 256 in tier bf16: at most 0% slower than the best found that is as accurate at 3 measured shapes: .*qk_format=bf16"
out_has "^ranged\[s=128..256\]  s [0-9]* .. 256 in tier mxfp6: at most 0% slower than the best found that is as accurate at [123] measured shape"
expect 0 tune --json
tail -n 1 "$work/out" | grep -q '"compiled":0,"measured":0,' || fail "the second run is not resumed"
[ "$(grep -c '^{"event":"interval",.*"tier":"\(bf16\|mxfp6\)"' "$work/out")" -eq 2 ] || fail "an interval of each tier"
expect 0 "$FSATTN_BIN/fsattn-cache" list range.fsc
out_has "^  *serves s 128 .. 256 in tier bf16: "
out_has "^  *serves s [0-9]* .. 256 in tier mxfp6: "
# 250 was not measured: the kernel of a tier's interval runs there, and is right.
expect 0 "$FSATTN_BIN/attention" --device sim range.fsc sq=250 sk=250 q=bf16 kv=bf16 o=bf16
out_has "^plan  *interval"
