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
# Times. The model's are its table's, with either figure; what is planted is seen; a model's own times are notes.
grep -q "{name: rate_vector, kind: note, value: \"4\.[01]" "$work/sim.yaml" || fail "no note of rate_vector"
if grep -q "kind: constant" "$work/sim.yaml"; then fail "a model's time was written as a constant"; fi
seen() { # NAME LEAST MOST, of the last output
    awk -v name="$1" -v least="$2" -v most="$3" '$1 == name { v = $2 == "agrees" ? $3 : $4; ok = v >= least && v <= most } END { exit !ok }' "$work/out" ||
        fail "$1 is not from $2 to $3: $(grep "^$1 " "$work/out")"
}
for time in pessimistic optimistic; do
    FSATTN_SIM_TIME=$time expect 0 "$probe" --device sim --only rate_convert --only rate_32_f --only beside --only chain
    if [ $time = pessimistic ]; then convert=64 blocks=100; else convert=16 blocks=25; fi
    seen rate_convert_32 $convert $((convert + 1))
    seen rate_convert_2x16 $convert $((convert + 1))
    seen rate_32_fp8 64 64.5
    seen rate_32_fp6 32 32.5
    seen beside_32_bf16 23 27
    seen beside_32_fp6 $((blocks - 2)) $((blocks + 2))
    seen beside_32_fp8 $((blocks - 2)) $((blocks + 2))
    seen chain_vector 8 8.2
done
cat >"$work/rates.yaml" <<'F'
fsattn_facts: 1
device: a planted one
date: 2026-12-03
provenance: measured
facts:
  - {name: pknorm, kind: constant, value: 8.02, unit: cycles}
  - {name: packed_maximum, kind: constant, value: 6, unit: cycles}
  - {name: maximum3, kind: constant, value: 12, unit: cycles}
  - {name: convert_2x16, kind: constant, value: 24, unit: cycles}
  - {name: matrix_32x32x64_small, kind: constant, value: 36, unit: cycles}
  - {name: matrix_blocks_f8f6f4, kind: constant, value: 60, unit: percent}
F
FSATTN_FACTS=$work/rates.yaml expect 8 "$probe" --device sim --only rate_ --only beside_32_fp6
err_has "5 facts differ from what is assumed"
out_has "^rate_pknorm *differs  seen 8.0"
seen rate_pk_max 6 6.2
seen rate_maximum3 12 12.2
seen rate_convert_2x16 24 25
seen rate_convert_32 64 65
seen rate_32_fp6 36 36.5
seen rate_32_fp8 64 64.5
seen beside_32_fp6 58 62
FSATTN_SIM_TIME=off expect 0 "$probe" --device sim --only rate_vector
out_has "^rate_vector *cannot   rate_fma: the device gives no time"
FSATTN_SIM_TIME=fast "$probe" --device sim --only rate_vector >"$work/out" 2>"$work/err" && fail "a model of time that is none was taken"
err_has "FSATTN_SIM_TIME: expected pessimistic, optimistic or off, got 'fast'"
# A file that cannot be used is one line with place, cause and fix.
sed -i 's/value: float/value: flaot/' "$work/planted.yaml"
FSATTN_FACTS=$work/planted.yaml "$probe" --device sim --only pknorm_nan >"$work/out" 2>"$work/err" && fail "a bad value was taken"
err_has "planted.yaml:6: pknorm_rounding: unknown value 'flaot'"
[ "$(grep -c flaot "$work/err")" = 1 ] || fail "a bad value is told $(grep -c flaot "$work/err") times"
if grep -q kfd "$work/err"; then fail "a bad value is taken for a missing GPU"; fi
# A folder without a HIP runtime: named, with both ways on.
FSATTN_HIP_LIBRARY=$work/none.so "$probe" --device hip >"$work/out" 2>"$work/err" && fail "a library that is not there was probed"
err_has "none.so"
err_has "without one: --device sim"
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
