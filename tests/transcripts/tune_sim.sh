#!/usr/bin/env bash
# A GPU space on the simulator: rendered, compiled by HIPRTC, quantizers and attention verified in a device worker, modelled costs, winners
# published; a repeated run repeats nothing. Without a GPU, one line names both ways on.
set -euo pipefail
space=$FSATTN_SOURCE/spaces/mi355x.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "tune_sim: $*" >&2
    exit 1
}
tune() {
    "$FSATTN_BIN/fsattn-tune" "$space" --store "$folder/t.db" --cache "$folder/t.fsc" "$@"
}
last() {
    tail -n 1 "$folder/$1" | tr ',{}' '\n\n\n' | sed -n "s/^\"$2\":\(.*\)\$/\1/p"
}
"$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --device sim --store "$folder/h.db" --cache "$folder/h.fsc" >"$folder/out" 2>&1 && fail "the simulator ran a host kernel"
grep -q "template attention_host makes code for host, which the device 'sim' cannot run" "$folder/out" || fail "host on sim: $(cat "$folder/out")"
if ! "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >"$folder/out" 2>&1; then
    echo "skipped: compiling for gfx950: $(head -n 1 "$folder/out")"
    exit 77
fi
if ! ldconfig -p | grep -q libamdhip64; then
    tune >"$folder/out" 2>&1 && fail "found a GPU"
    grep -q "fsattn-tune: device hip: cannot load\|fsattn-tune: device hip: no HIP runtime" "$folder/out" || fail "no GPU: $(cat "$folder/out")"
    grep -q "on a machine with an MI355X.*--device sim.*--compile-only" "$folder/out" || fail "no GPU, no way on: $(cat "$folder/out")"
fi
FSATTN_SIM_LIBRARY=/nonexistent.so tune --device sim >"$folder/out" 2>&1 && fail "ran without a simulator"
grep -q "device sim: cannot load the HIP runtime: /nonexistent.so" "$folder/out" || fail "no simulator: $(cat "$folder/out")"

tune --device sim --set smoke --evaluations 5 --json >"$folder/first" 2>"$folder/log" || fail "first run: exit status $?: $(cat "$folder/log")"
grep -q '"provenance":"modelled"' "$folder/first" || fail "costs are not modelled: $(head -n 1 "$folder/first")"
[ "$(last first winners)" = 4 ] || fail "$(last first winners) winners: $(cat "$folder/first")"
[ "$(last first ok)" = 5 ] || fail "not all are right: $(grep candidate "$folder/first")"
tune --device sim --set smoke --evaluations 5 --json >"$folder/second" 2>"$folder/log" || fail "second run: exit status $?: $(cat "$folder/log")"
[ "$(last second compiled)" = 0 ] || fail "the second run compiled $(last second compiled)"
[ "$(last second measured)" = 0 ] || fail "the second run measured $(last second measured)"
# What a device was seen to do is in the key of what is found there: results with and without a planted difference do not mix, and come back each for its own.
"$FSATTN_BIN/fsattn-probe" --device sim --only pknorm_rounding --output "$folder/facts.yaml" >"$folder/out" 2>&1 || fail "probe: $(cat "$folder/out")"
{ cat "$folder/facts.yaml" && echo '  - {name: lds_latency, kind: constant, value: 400, unit: cycles}'; } >"$folder/planted.yaml"
with_facts() { # file or nothing, results that are measured; leaves the result's key and its cost
    FSATTN_FACTS=$1 tune --device sim --problem "small[s=256]" --evaluations 1 --json >"$folder/out" 2>"$folder/log" || fail "facts '$1': exit status $?: $(cat "$folder/log")"
    [ "$(last out measured)" = "$2" ] || fail "facts '$1': $(last out measured) measured, not $2: $(cat "$folder/out")"
    cost=$(grep '"event":"candidate"' "$folder/out" | sed 's/.*"median_ns":\([0-9.e+]*\).*/\1/')
}
with_facts "" 0
without=$cost
for measured in 1 0; do
    with_facts "$folder/planted.yaml" $measured
    [ "$cost" != "$without" ] || fail "the planted difference costs nothing: $cost"
done
with_facts "" 0
[ "$cost" = "$without" ] || fail "without facts it was $without, and is $cost after a run with them"
# What a problem does not name is not searched: block lists and lengths of sequences.
sed 's/^parameters:/parameters:\n  blocks: [true]/' "$space" >"$folder/blocks.yaml"
"$FSATTN_BIN/fsattn-tune" "$folder/blocks.yaml" --templates "$FSATTN_SOURCE/templates" --device sim --problem "small[s=256]" --sample 4 --store "$folder/t.db" \
    --cache "$folder/b.fsc" --json >"$folder/out" 2>"$folder/log" || fail "blocks: exit status $?: $(cat "$folder/log")"
grep -q '"verdict":"rejected","reason":"blocks: the problem has no lists of tiles"' "$folder/out" || fail "block lists are searched: $(cat "$folder/out")"
[ "$(last out compiled)" = 0 ] && [ "$(last out rejected)" -ge 4 ] || fail "not all block lists are rejected: $(cat "$folder/out")"
[ -z "$(grep '"event":"candidate".* blocks=true ' "$folder/out" | grep -v '"verdict":"rejected"' || true)" ] || fail "a block list has another verdict: $(cat "$folder/out")"
# What a record promises is the worst of the small cases and the tuned problem itself, and each says its own (that of 21x45 has another scale).
"$FSATTN_BIN/fsattn-cache" text "$folder/t.fsc" >"$folder/text" || fail "no text of the records"
awk '
    /^ *accuracy\.normal/ {
        split($1, part, "[.:]"); value = $2 + 0
        if (part[2] == "normal") promised[part[3]] = value
        else if (part[2] != "normal_21x45") { cases[part[2]]++; if (!(part[3] in worst) || (part[3] == "cosine" ? value < worst[part[3]] : value > worst[part[3]])) worst[part[3]] = value }
    }
    /^ *stage\.0\.name/ {
        records++
        for (figure in promised) if (figure != "coverage" && promised[figure] != worst[figure]) { print "promised " figure " " promised[figure] ", worst " worst[figure]; bad = 1 }
        delete promised; delete worst
    }
    END { if (records < 4 || cases["normal_37x613"] < 4 * records || cases["normal_300x130"] < records || cases["normal_256x32768"] < records || cases["normal_300x333"] < 4) { print records " records lack cases"; bad = 1 }
        exit bad }' "$folder/text" >"$folder/out" || fail "accuracy: $(cat "$folder/out")"
# A defect in either family is found where it is.
plant() { # family, file, text, its replacement, part of the reason
    rm -rf "$folder/planted"
    cp -r "$FSATTN_SOURCE/templates" "$folder/planted"
    grep -q -- "$3" "$folder/planted/$1/$2" || fail "nothing to plant a defect in: $3"
    sed -i "s|$3|$4|" "$folder/planted/$1/$2"
    tune --device sim --templates "$folder/planted" --problem small_tail --evaluations 1 --json >"$folder/out" 2>"$folder/log" || true
    grep -q "\"verdict\":\"wrong\",\"reason\":\"[^\"]*$5" "$folder/out" || fail "a defect in $1 is not found: $(cat "$folder/out" "$folder/log")"
}
plant quantize_gfx950 kernel.hip.in "as_float(raw\[i\]) \* factor;" "as_float(raw[i]) * factor * 1.0625f;" "packed Q: byte"
plant attention_gfx950 output.hip.in "1.0f / sum;" "1.01f / sum;" "normal inputs, .* expected"
# Device hip is the same over another library: with costs that are modelled, and with a library that does not say that it is no hardware.
if ! grep -q __asan_init "$FSATTN_BIN/../lib/simulator/libamdhip64.so.7"; then # AddressSanitizer's symbols have the name in theirs
    sed 's/fsattn_sim_version/xsattn_sim_version/g' "$FSATTN_BIN/../lib/simulator/libamdhip64.so.7" >"$folder/libamdhip64.so.7"
    FSATTN_HIP_LIBRARY=$folder/libamdhip64.so.7 "$FSATTN_BIN/fsattn-tune" "$space" --problem "small[s=256]" --evaluations 1 --store "$folder/m.db" --cache "$folder/m.fsc" --json >"$folder/out" 2>"$folder/log" || fail "device hip: exit status $?: $(cat "$folder/log")"
    grep -q '"provenance":"measured"' "$folder/out" || fail "device hip does not measure: $(head -n 1 "$folder/out")"
    [ "$(last out ok)" = 1 ] || fail "device hip: $(cat "$folder/out")"
fi
# Methods in one frame.
FSATTN_SIM_TIME=optimistic "$FSATTN_BIN/fsattn-rivals" --templates "$FSATTN_SOURCE/templates" --keys 512 --only maximum3 >"$folder/out" 2>&1 || fail "rivals: $(cat "$folder/out")"
grep -q "simulator.* optimistic; 256 queries" "$folder/out" || fail "rivals: which model? $(cat "$folder/out")"
grep -Eq "^MXFP6, fused, maximum3 +[1-9][0-9]* +1.00x +[0-9]+ +18 +[0-9]+ +0.06[0-9]+ +0.99" "$folder/out" || fail "rivals: $(cat "$folder/out")"
# The winners through libfsattn, quantizers and all.
"$FSATTN_BIN/attention" --device sim --all "$folder/t.fsc" >"$folder/served" 2>&1 || fail "the winners do not run: $(cat "$folder/served")"
grep -q "^tuned .* right .* attention_gfx950" "$folder/served" || fail "not served: $(cat "$folder/served")"
"$FSATTN_BIN/attention" --device sim "$folder/t.fsc" hq=4 hkv=2 sq=77 sk=200 q=bf16 kv=bf16 o=bf16 >"$folder/served" 2>&1 || fail "another size: $(cat "$folder/served")"
grep -q "^plan           nearest" "$folder/served" || fail "another size: $(cat "$folder/served")"
grep -q "^packed         K and V packed once, .* right too" "$folder/served" || fail "packed K and V: $(cat "$folder/served")"
grep -q "^captured       one run in a HIP graph, launched twice: right too" "$folder/served" || fail "captured: $(cat "$folder/served")"
"$FSATTN_BIN/attention" "$folder/t.fsc" hq=2 hkv=1 sq=300 sk=333 q=bf16 kv=bf16 o=bf16 >"$folder/served" 2>&1 && fail "the host ran a GPU kernel"
# What was published is the chain, stage by stage, in one packed layout.
key=$("$FSATTN_BIN/fsattn-cache" list "$folder/t.fsc" | sed -n 's/^  \([0-9a-f]*\)  winner .*/\1/p' | head -n 1)
"$FSATTN_BIN/fsattn-cache" show "$key" --file "$folder/t.fsc" >"$folder/record" || fail "no record $key"
grep -q "fsattn_quantize_q" "$folder/record" && grep -q "fsattn_attention" "$folder/record" || fail "no chain: $(cat "$folder/record")"
[ "$(grep -c "pack_layout" "$folder/record")" -ge 4 ] || fail "stages do not name their packed layout: $(cat "$folder/record")"
