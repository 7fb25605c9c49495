#!/usr/bin/env bash
# fsattn-tune on the scripted device: a run, its repetition, a larger space, what it shows, and how it fails.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune
tune() { "$tune" --templates templates "$@"; }
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
files="--store tune.db --cache toy.fsc"
winner="order=columns tile_m=64 unroll=8"

# A run: table on stdout, plain progress on stderr, winners published.
# shellcheck disable=SC2086
expect 0 tune toy.yaml $files
[ "$(grep -c "$winner\$" "$work/out")" -eq 3 ] || fail "three winners"
out_has "^problem  *modelled cost  *speed-up  *error  *winner"
out_has "36 of 36 candidates: 4 build-failed, 2 timeout, 2 wrong, 28 ok"
out_has "^done after .*: 72 compiled, 84 measured, 0 resumed, 3 winners$"
err_has "^\[2/3\] small\[s=256\]: 36 valid configurations of 48$"
err_has "best .* modelled"
err_has "^published toy.fsc: 6 records, 3 winners$"
[ -s toy.fsc ] || fail "no cache file"
cp toy.fsc first.fsc

# The same again compiles and measures nothing, and says so in the last of the JSON lines; the cache is the same.
# shellcheck disable=SC2086
expect 0 tune toy.yaml $files --json
tail -n 1 "$work/out" | grep -q '^{"event":"done","outcome":"done","compiled":0,"measured":0,"winners":3,' || fail "done"
[ "$(grep -vc '^{"event":".*}$' "$work/out")" -eq 0 ] || fail "something but JSON on stdout"
[ "$(grep -c '"resumed":true' "$work/out")" -eq 108 ] || fail "108 resumed"
[ "$(grep -c '^{"event":"winner"' "$work/out")" -eq 3 ] || fail "three winners"
cmp toy.fsc first.fsc || fail "the cache changed"

# Reordering the file leaves everything resolved; one more value measures only what is new.
sed 's/^  tile_m: .*/  tile_m: [128, 96, 64, 48, 32, 16]/' toy.yaml >reordered.yaml
# shellcheck disable=SC2086
expect 0 tune reordered.yaml $files --json
tail -n 1 "$work/out" | grep -q '"compiled":0,"measured":0,"winners":3,' || fail "reordered"
cmp toy.fsc first.fsc || fail "the cache changed"
sed 's/^  tile_m: .*/  tile_m: [16, 32, 48, 64, 96]/' toy.yaml >smaller.yaml
# shellcheck disable=SC2086
expect 0 tune smaller.yaml --store small.db --cache small.fsc --problem small --json
tail -n 1 "$work/out" | grep -q '"compiled":28,' || fail "28 configurations"
# shellcheck disable=SC2086
expect 0 tune toy.yaml --store small.db --cache small.fsc --set smoke --json
tail -n 1 "$work/out" | grep -q '"compiled":8,"measured":12,' || fail "only the new ones"

# The defaults: files in the user's data folder.
expect 0 tune toy.yaml --problem large --evaluations 5
[ -s "$work/data/fsattn/tune.db" ] && [ -s "$work/data/fsattn/fsattn.fsc" ] || fail "default files"
out_has "5 of 36 candidates"
out_has "^budget after"

# A sample larger than the space takes all of it.
expect 0 tune toy.yaml --problem large --sample 1000 --store sample.db --cache sample.fsc
out_has "36 of 36 candidates"
out_has "^done after"
expect 0 tune toy.yaml --problem large --sample 10 --store sample2.db --cache sample.fsc
grep -Eq '1[01] of 36 candidates' "$work/out" || fail "ten, and the default"

# What it shows.
expect 0 tune toy.yaml --list
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "three problems and a set"
out_has "^set smoke"
expect 0 tune toy.yaml --dry-run
out_has "raw: 48 configurations"
out_has "valid: 36,"
out_has "rejected tile_m=16 unroll=4: tile_m must be a multiple of 8 \* unroll (templates/toy/manifest.lua:"
expect 0 tune toy.yaml --dry-run --json
[ "$(grep -c '^{"event":"size",.*"valid":36,' "$work/out")" -eq 2 ] || fail "two settings"
expect 0 tune toy.yaml --render
out_has "int toy_32;"
expect 0 tune --render "tile_m=64 order=columns" toy.yaml
out_has "int toy_64; /\* columns \*/"
expect 2 tune toy.yaml --render "tile_m=16 unroll=8"
err_has "must be a multiple of 8 \* unroll"
expect 2 tune toy.yaml --render "tile=16"
err_has "did you mean 'tile_m'"
expect 0 tune --help
out_has "default: the space's, 600"
for option in --store --cache --budget --sample --json; do out_has "^  $option"; done

# How it fails.
expect 2 tune toy.yaml --stor x
err_has "did you mean '--store'"
expect 2 tune
err_has "no search space given"
expect 2 tune toy.yaml --strategy hill
err_has "did you mean 'hill_climbing'"
expect 2 tune toy.yaml --sample 5 --strategy exhaustive
err_has "leave --strategy out"
expect 2 tune toy.yaml --strategy hill_climbing --strategy-option restart=1
err_has "did you mean 'restarts'"
expect 2 tune toy.yaml --strategy-option restarts
err_has "expected NAME=VALUE"
expect 2 tune toy.yaml --problem smal
err_has "did you mean 'small'"
expect 2 tune toy.yaml --device scriptd:x --dry-run
err_has "did you mean 'scripted:FILE'"
expect 2 tune toy.yaml --budget 0
err_has "--budget: expected a number from"
sed 's/^strategy: .*/strategy: {name: hill_climbing, gain: much}/' toy.yaml >bad.yaml
expect 2 tune bad.yaml --dry-run
err_has "bad.yaml:11:39: gain: "
sed 's/"noise": 0.01/"nois": 0.01/' device.json >bad.json
expect 2 tune toy.yaml --device scripted:bad.json --dry-run
err_has "bad.json:3:11: nois: unknown key"
err_has "did you mean 'noise'"
sed 's/"fault": "hang"/"fault": "crash"/; s/"noise"/"canary_fails": true, "noise"/' device.json >sick.json
expect 7 tune toy.yaml --device scripted:sick.json --store sick.db --cache sick.fsc --json
err_has "the canary kernel gives another result"
tail -n 1 "$work/out" | grep -q '^{"event":"done","outcome":"error"' || fail "done also after an error"

# On a terminal the progress is one line that is drawn again.
if command -v script >/dev/null; then
    script -qec "$tune --templates templates toy.yaml --store bar.db --cache bar.fsc" /dev/null >"$work/out" 2>"$work/err" </dev/null
    out_has "\[#*\.*\] small\[s=128\] [0-9]*/36, best .*left"
fi

# A range: where which kernel wins along one size, with its price, in the table, the events, the cache file, and on a second run.
rules=$(for size in $(seq 128 128 1024); do
    printf '{"problem": " sk=%d ", "cost": "1e4 * %d * (tile_m == 64 and 1 + math.max(0, %d - 500) / 1000 or tile_m == 128 and 1 + math.max(0, 500 - %d) / 1000 or 2)"},' \
        "$size" "$size" "$size" "$size"
done)
printf '{"cost": 1, "rules": [%s]}\n' "${rules%,}" >ranged.json
ranged='- {name: ranged, d: 64, s: {from: 128, to: 1024, step: 128}}'
sed "s/^device: .*/device: scripted:ranged.json/; s/^- {name: small,.*/$ranged/; s/^sets:.*//; s/unroll: .*/unroll: [1]/; s/order: .*/order: [rows]/" toy.yaml >ranged.yaml
expect 0 tune ranged.yaml --problem ranged --store ranged.db --cache ranged.fsc
out_has "^ranged\[s=128\] "
out_has "^ranged\[s=128..1024\]  s 128 .. [45][0-9]*: at most 0% slower than the best found at [0-9] measured shapes, .*% at the next ones outside: tile_m=64$"
out_has "^ranged\[s=128..1024\]  s [45][0-9]* .. 1024: at most 0% slower .*: tile_m=128$"
expect 0 tune ranged.yaml --problem ranged --store ranged.db --cache ranged2.fsc --json
tail -n 1 "$work/out" | grep -q '"compiled":0,"measured":0,' || fail "the range is measured again"
[ "$(grep -c '^{"event":"interval","name":"ranged\[s=128..1024\]","axis":"s","from":' "$work/out")" -eq 2 ] || fail "two intervals"
cmp ranged.fsc ranged2.fsc || fail "the cache changed"
expect 0 "$FSATTN_BIN/fsattn-cache" list ranged.fsc
out_has "^  *serves s 128 .. [45][0-9]*: at most 0% slower than the best found"
# What it says afterwards: intervals, what each serving configuration costs at every measured shape, and one shape of each more closely.
expect 0 tune ranged.yaml --problem ranged --store ranged.db --explain
quiet
out_has "^  [0-9] measured shapes; which configuration serves where$"
out_has "^    \[1\] s 128 .. [45][0-9]*: at most 0% slower .*: tile_m=64$"
out_has "^    \[2\] s [45][0-9]* .. 1024: at most 0% slower .*: tile_m=128$"
out_has "^  *128  *[0-9]*  1.28 ms  *\[1\]  *+0.0%  *+37.2%$"
out_has "^  *1024  *[0-9]*  10.24 ms  *\[2\]  *+52.4%  *+0.0%$"
[ "$(grep -c "^ranged\[s=[0-9]*\]$" "$work/out")" -eq 2 ] || fail "one shape of each interval"
# A shape of it that was tuned by itself is known, but nothing says what serves where.
sed "s/s: {from.*}}/s: 256}/" ranged.yaml >single.yaml
expect 0 tune single.yaml --problem ranged --store single.db --cache single.fsc
expect 0 tune ranged.yaml --problem ranged --store single.db --explain
out_has "^  1 measured shape; what serves where is not settled: no run of the range came to its end$"
out_has "^ranged\[s=256\]$"
expect 0 tune ranged.yaml --list
out_has "^ranged\[s=128..1024\]	attention_fwd .* sq=1024 sk=1024 "
# With tiers each has intervals of its own, from the same shapes, and everything that shows results says which.
rules=$(for size in $(seq 128 128 1024); do
    printf '{"problem": " sk=%d ", "cost": "1e4 * %d * (order == %s and 2 or 1) * (tile_m == 64 and 1 + math.max(0, %d - (order == %s and 800 or 500)) / 1000 or tile_m == 128 and 1 + math.max(0, (order == %s and 800 or 500) - %d) / 1000 or 2)"},' \
        "$size" "$size" "'rows'" "$size" "'rows'" "'rows'" "$size"
done)
printf '{"cost": 1, "error": "order == %s and 0.01 or 0.05", "rules": [%s]}\n' "'rows'" "${rules%,}" >tiered.json
sed 's/scripted:ranged.json/scripted:tiered.json/; s/order: .*/order: [rows, columns]/' ranged.yaml >tiered.yaml
printf 'tiers:\n  exact: {order: rows}\n  rough: {order: columns}\n' >>tiered.yaml
expect 0 tune tiered.yaml --problem ranged --store tiered.db --cache tiered.fsc
out_has "^ranged\[s=128..1024\]  s 128 .. [6-8][0-9]* in tier exact: at most .*% slower than the best found that is as accurate at [0-9] measured shapes, .*: tile_m=64$"
out_has "^ranged\[s=128..1024\]  s [6-8][0-9]* .. 1024 in tier exact: .*: tile_m=128$"
out_has "^ranged\[s=128..1024\]  s 128 .. [45][0-9]* in tier rough: .*: order=columns tile_m=64$"
out_has "^ranged\[s=128..1024\]  s [45][0-9]* .. 1024 in tier rough: .*: order=columns tile_m=128$"
expect 0 tune tiered.yaml --problem ranged --store tiered.db --cache tiered2.fsc --json
tail -n 1 "$work/out" | grep -q '"compiled":0,"measured":0,' || fail "the tiers are measured again"
[ "$(grep -c '^{"event":"interval","name":"ranged\[s=128..1024\]","axis":"s",.*"tier":"exact","configuration":' "$work/out")" -eq 2 ] || fail "two intervals of the exact tier"
cmp tiered.fsc tiered2.fsc || fail "the cache changed"
expect 0 tune tiered.yaml --problem ranged --store tiered.db --explain
quiet
out_has "^    \[1\] s 128 .. [6-8][0-9]* in tier exact: .*: tile_m=64$"
out_has "^    \[4\] s [45][0-9]* .. 1024 in tier rough: .*: order=columns tile_m=128$"
out_has "^  what these cost beyond the best of tier exact at the measured shapes$"
out_has "^  *1024  *[0-9]*  20.48 ms  *\[2\]  *+22.4%  *+0.0%$"
out_has "^  what these cost beyond the best of tier rough at the measured shapes$"
out_has "^  *1024  *[0-9]*  10.24 ms  *\[4\]  *+52.4%  *+0.0%$"
# The default counts for a tier that has not all of its values, here and in what is told afterwards.
printf '{"cost": 1, "error": "order == %s and 0.01 or 0.05", "rules": [{"problem": " sk=", "cost": "tile_m == 32 and 1e6 or order == %s and 2e6 or 5e5"}]}\n' "'rows'" "'rows'" >apart.json
sed 's/scripted:tiered.json/scripted:apart.json/; s/tile_m: .*/tile_m: [64, 128]/; s/ exact: {/ sound: {/; s/ rough: {/ coarse: {/' tiered.yaml >apart.yaml
expect 0 tune apart.yaml --problem ranged --store apart.db --cache apart.fsc
out_has "^ranged\[s=128..1024\]  s 128 .. 1024 in tier sound: at most 0% slower .*: default$"
expect 0 tune apart.yaml --problem ranged --store apart.db --explain
out_has "^  *1024  *[0-9]*  1 ms  *\[2\]  *+0.0%$"
cache=$FSATTN_BIN/fsattn-cache
expect 0 "$cache" list tiered.fsc
out_has "^  *serves s 128 .. [6-8][0-9]* in tier exact: at most .* that is as accurate at"
out_has "^  *serves s [45][0-9]* .. 1024 in tier rough: "
key=$("$cache" list tiered.fsc | grep -B 1 "serves .* in tier exact" | sed -n 's/^  \([0-9a-f]\{12\}\)  winner .*/\1/p' | head -n 1)
expect 0 "$cache" show "$key" --file tiered.fsc
out_has "interval.tier  *exact$"
expect 0 "$cache" verify tiered.fsc
cp single.db merged.db # of a shape by itself
expect 0 "$cache" merge tiered.db --store merged.db
expect 8 "$cache" diff tiered.db merged.db
out_has "^0 only in the first, .* 0 changed$"
expect 0 "$cache" list merged.db
out_has "^  *serves s [45][0-9]* .. 1024 in tier rough: "
expect 0 "$cache" t4 tiered.db --problem "$("$cache" list tiered.fsc | grep ' sk=1024 ' | head -n 1)"
out_has '"tier": "exact"'
out_has '"regret": '
wrong() { # range, pattern
    sed "s/s: {from.*}}/s: $1}/" ranged.yaml >bad.yaml
    expect 2 tune bad.yaml --list
    err_has "$2"
}
wrong '{from: 128, to: 1000, step: 128}' "bad.yaml:4:28: problems.s: the range does not reach its end in whole steps$"
wrong '{from: 1024, to: 128, step: 128}' "problems.s: the range is reversed or empty$"
wrong '{from: 128, to: 1024}' "problems.s.*step"
wrong '{from: 128, to: 1024, step: 128, shapes: 2}' "problems.s.shapes: 2 is out of range"
wrong '{from: 128, to: 1024, steps: 128}' "did you mean 'step'"
wrong '1, b: {from: 1, to: 4, step: 1}, h: {from: 1, to: 4, step: 1}' "problems.h: a second range in one entry$"
sed "s/d: 64, s: /s: 64, d: /" ranged.yaml >bad.yaml
expect 2 tune bad.yaml --list
err_has "problems.d: this key takes no range$"
