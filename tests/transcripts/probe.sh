#!/usr/bin/env bash
# fsattn-probe: all agree on the simulator; what is planted there through a file of facts is found, named, and written again.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
probe=$FSATTN_BIN/fsattn-probe
home=$(getent passwd "$(id -u)" | cut -d: -f6)
expect 0 "$probe" --help
out_has "usage: fsattn-probe"
expect 0 "$probe" --list
out_has "^pknorm_rounding *pknorm_rounding *simulator.md 7"
expect 2 "$probe" --device gpu
err_has "expected hip or sim, got 'gpu'"
expect 2 "$probe" --only pknrom_nan
err_has "did you mean 'pknorm"
if ! [ -e /dev/kfd ]; then
    "$probe" --device hip >"$work/out" 2>"$work/err" && fail "a GPU was found"
    err_has "^fsattn-probe: device hip: "
    err_has "on a machine with an MI355X: .*without one: --device sim"
fi
echo notes >"$work/notes"
expect 2 "$probe" --device sim --output "$work/notes"
err_has "is no sound file of facts"
if ! HOME=$home "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >/dev/null 2>"$work/err"; then
    echo "skipped: probes on the simulator: $(head -n 1 "$work/err")"
    exit 77
fi
export HOME=$home
expect 0 "$probe" --device sim --output "$work/sim.yaml"
out_has " 0 differ, 0 cannot be asked"
out_has "^matrix_sums *agrees *exact"
grep -q "^provenance: modelled" "$work/sim.yaml" || fail "the file does not say modelled"
grep -q "{name: transpose_b8, kind: switch, value: \"l0 l1 l2 l3 n0 n1 n2\"" "$work/sim.yaml" || fail "no transpose_b8"
# Planted: each is found by its probe, named, and written as it was planted.
cat >"$work/planted.yaml" <<'F'
fsattn_facts: 1
device: a planted one
date: 2026-12-03
provenance: measured
facts:
  - {name: pknorm_rounding, kind: switch, value: float}
  - {name: pknorm_nan, kind: switch, value: one}
  - {name: small_nan, kind: switch, value: zero}
  - {name: convert_scale_0, kind: switch, value: one}
  - {name: matrix_scale_0, kind: switch, value: zero}
  - {name: matrix_subnormals, kind: switch, value: flushed}
  - {name: maximum3_nan, kind: switch, value: ignored}
  - {name: transpose_b8, kind: switch, value: "l3 l0 l1 l2 n0 n1 n2"}
F
names="pknorm_rounding pknorm_nan convert_fp6_nan convert_fp4_nan convert_scale_0 matrix_scale_0 matrix_subnormals maximum3_nan transpose_b8"
only=$(printf -- "--only %s " $names transpose_b16)
# shellcheck disable=SC2086
FSATTN_FACTS=$work/planted.yaml expect 8 "$probe" --device sim $only --output "$work/seen.yaml"
for name in $names; do out_has "^$name *differs  seen"; done
out_has "^transpose_b16 *agrees"
out_has "^pknorm_rounding *differs  seen float, expected exact; "
out_has "^transpose_b8 *differs  seen l3 l0 l1 l2 n0 n1 n2, expected l0 l1 l2 l3 n0 n1 n2; "
err_has "9 facts differ from what is assumed"
for name in pknorm_rounding small_nan convert_scale_0 matrix_subnormals maximum3_nan; do
    value=$(sed -n "s/.*{name: $name, kind: switch, value: \([a-z]*\)}/\1/p" "$work/planted.yaml")
    grep -q "{name: $name, kind: switch, value: \"$value\"" "$work/seen.yaml" || fail "$name was not written as planted"
done
FSATTN_FACTS=$work/seen.yaml expect 8 "$probe" --device sim --only pknorm_nan --json
out_has '"seen": "one"'
# A file that cannot be used is one line with place, cause and fix.
sed -i 's/value: float/value: flaot/' "$work/planted.yaml"
FSATTN_FACTS=$work/planted.yaml "$probe" --device sim --only pknorm_nan >"$work/out" 2>"$work/err" && fail "a bad value was taken"
err_has "planted.yaml:6: pknorm_rounding: unknown value 'flaot'"
# The simulator's report says what is probed.
cat >"$work/time.yaml" <<'F'
fsattn_facts: 1
device: a planted one
date: 2026-12-03
provenance: measured
facts:
  - {name: matrix_32x32x64, kind: constant, value: 100, unit: cycles}
F
FSATTN_FACTS=$work/time.yaml expect 0 "$FSATTN_BIN/fsattn-sim" "$FSATTN_SOURCE/templates/attention_gfx950" --problem "hq=1 hkv=1 sq=256 sk=512 q=bf16 kv=bf16 o=bf16"
out_has "^probed: matrix_32x32x64 100; measured on a planted one, 2026-12-03; from .*time.yaml; everything else is assumed"
# No default kernel depends on what is unverified: none of these instructions is in them (docs/probe.md).
for template in attention_gfx950 quantize_gfx950; do
    expect 0 "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/$template" --listing
    out_has "v_cvt_scalef32"
    for instruction in _tr_b s_setreg v_smfmac v_permlane16 maximum3 _sr_; do out_lacks "$instruction"; done
done
