#!/usr/bin/env bash
# fsattn-tune --explain: what a store or a result file says, with a parameter that is known to dominate; nothing is measured.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune
export TMPDIR=$work
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
tune() { "$tune" --templates templates "$@"; }

expect 3 tune toy.yaml --store tune.db --explain
err_has "tune.db"
[ ! -e tune.db ] || fail "a store was made"
expect 0 tune toy.yaml --store tune.db --cache toy.fsc
cp tune.db before.db
expect 0 tune toy.yaml --store tune.db --explain --problem large
quiet
cmp tune.db before.db || fail "the store was written"
out_has "36 results, 36 valid configurations: 4 build-failed, 2 timeout, 2 wrong, 28 ok; costs are modelled"
out_has "constraints leave 36 of 48 configurations"
out_has "^    *25.0%  tile_m must be a multiple of 8 \* unroll"
out_has "^    *4  build-failed; 4 of them: scripted: build-failed"
out_has "order=columns tile_m=64 unroll=8  (winner)"
[ "$(grep -c 'fastest' "$work/out")" -eq 5 ] || fail "the five best"
cp "$work/out" first
expect 0 tune toy.yaml --store tune.db --explain --problem large
cmp "$work/out" first || fail "not the same twice"
# All problems, one after another.
expect 0 tune toy.yaml --store tune.db --explain
[ "$(grep -c 'what mattered' "$work/out")" -eq 3 ] || fail "three problems"

# `major` decides, `minor` a little, `idle` nothing.
python3 - >known.json <<'END'
import json
results = []
for major in (1, 2, 3, 4):
    for minor in (1, 2, 4, 8):
        for idle in (0, 1, 2, 3, 4, 5):
            time = 1 + major + 0.05 * minor
            results.append({"configuration": {"idle": idle, "major": major, "minor": minor}, "invalidity": "correct",
                            "times": {"runtimes": [time, time * 0.99, time, time * 1.01]}})
print(json.dumps({"results": results, "metadata": {"timeunit": "milliseconds"}}))
END
expect 0 "$tune" --device replay:known.json --explain
share() { sed -n "s/^    $1  *\([0-9.]*\)%.*/\1/p" "$work/out"; }
awk "BEGIN { exit !($(share major) > 80 && $(share minor) > 1 && $(share minor) < 20 && $(share idle) < 1) }" || fail "shares"
[ "$(sed -n '/best otherwise/{n;s/^ *\([a-z]*\) .*/\1/p}' "$work/out")" = major ] || fail "major comes first"
out_has "^    major  *[0-9.]*%  1  *+48.8%"
out_has "^    idle  *[0-9.]*%  0  *+0.0%"
# The same from a store of the replay; a few results say less.
expect 0 "$tune" --device replay:known.json --strategy exhaustive --budget 100000 --store known.db
expect 0 "$tune" --device replay:known.json --store known.db --explain
out_has "96 results, 96 valid configurations: 96 ok"
expect 0 "$tune" --device replay:known.json --evaluations 5 --budget 100000 --store few.db
expect 0 "$tune" --device replay:known.json --store few.db --explain
out_has "shares need 10 results with a cost, there are 5"

expect 3 tune toy.yaml --store few.db --explain
err_has "no results of toy for these problems in the store"
expect 2 tune toy.yaml --explain --list
expect 2 tune toy.yaml --explain --json
