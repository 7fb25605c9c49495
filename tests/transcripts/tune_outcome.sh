#!/usr/bin/env bash
# How fsattn-tune ends when there is nothing to publish, nowhere to publish it, or nobody to tell.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune
tune() { "$tune" --templates templates "$@"; }
cache=$FSATTN_BIN/fsattn-cache
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
# usage: records FILE; how many it has
records() { "$cache" list "$1" | sed -n 's/^\([0-9]*\) results.*/\1/p'; }

# Nothing reaches the accuracy floor (every error is 1e-6): no winner, not even the default, and a status that says so.
(cat toy.yaml; echo 'accuracy: {max_relative_error: 1e-9}') >strict.yaml
expect 3 tune strict.yaml --store floor.db --cache floor.fsc
err_has "^fsattn-tune: small\[s=128\]: no winner: 28 work, none reaches the accuracy floor (max_relative_error 1e-09; the smallest relative error is 1e-06) (and so for 2 more problems)$"
err_has "lower the floor: .accuracy. in strict.yaml"
out_has "no winner: 28 work"
[ ! -e floor.fsc ] || fail "something is published"
expect 3 "$cache" export all.fsc --store floor.db
err_has "no result to publish in the store floor.db"
[ ! -e all.fsc ] || fail "something is exported"
# The same results with another floor have winners, and lose them again with the first one.
expect 0 tune toy.yaml --store floor.db --cache floor.fsc
out_has "0 compiled"
[ "$(records floor.fsc)" -eq 6 ] || fail "three winners and three defaults"
expect 3 tune strict.yaml --store floor.db --cache floor.fsc --json
out_has '^{"event":"no_winner",.*"name":"large","reason":"28 work, none reaches'
tail -n 1 "$work/out" | grep -q '"outcome":"done",.*"winners":0,' || fail "done without winners"
err_has "nothing to publish: floor.fsc is left as it was"
expect 3 "$cache" export all.fsc --store floor.db
[ ! -e all.fsc ] || fail "something is exported after another floor"
# A default below the floor is not published beside a winner that is above it.
sed 's/"noise"/"error": "unroll == 1 and 1e-3 or 1e-6", "noise"/' device.json >coarse.json
(cat toy.yaml; echo 'accuracy: {max_relative_error: 1e-5}') >some.yaml
expect 0 tune some.yaml --device scripted:coarse.json --problem large --store some.db --cache some.fsc
[ "$(records some.fsc)" -eq 1 ] || fail "the winner alone"

# Constraints that leave nothing: the one that refuses most is named, and nothing is run.
(cat toy.yaml; printf 'constraints:\n- unroll > 1\n- when: tile_m > 500\n  reason: large tiles only\n') >empty.yaml
expect 2 tune empty.yaml --store empty.db --cache empty.fsc
err_has "^fsattn-tune: small\[s=128\]: no winner: the constraints leave none of 48 configurations (and"
err_has "^  empty.yaml:14 refuses most, 36 of them: large tiles only$"
out_lacks "the default is"
expect 2 tune empty.yaml --dry-run
out_has "valid: 0,"
err_has "small\[s=128\]: the constraints leave none of 48 configurations"

# A space that leaves the default out counts it apart.
sed 's/^  unroll: .*/  unroll: [2, 4, 8]/; s/^  order: .*/  order: [columns]/' toy.yaml >apart.yaml
expect 0 tune apart.yaml --store apart.db --cache apart.fsc --problem large
grep -Eq '([0-9]+) of \1 candidates and the default, which is none of them:' "$work/out" || fail "candidates and the default"

# No time for anything.
expect 3 tune toy.yaml --budget 0.001 --store none.db --cache none.fsc
err_has "no winner: the time was over before the default configuration had a verdict"
out_lacks "the default is"

# Nowhere to publish: said before anything is run.
touch file
expect 4 tune toy.yaml --store early.db --cache file/toy.fsc
err_has "^fsattn-tune: --cache: winners cannot be published: file"
[ ! -e early.db ] || fail "the search began"
[ -z "$(find . -name 'toy.fsc.*')" ] || fail "a temporary file is left"
# Nowhere any more: the results are kept, and can be published later.
mkdir there
sed 's/"noise"/"sleep": 0.02, "noise"/' device.json >slow.json
expect_late() {
    local status=0
    (sleep 0.5; rmdir there; touch there) &
    "$tune" --templates templates toy.yaml --device scripted:slow.json --store late.db --cache there/toy.fsc >"$work/out" 2>"$work/err" || status=$?
    wait
    [ "$status" -eq 4 ] || fail "exit $status instead of 4"
}
expect_late
err_has "^fsattn-tune: the winners are not published: there: "
err_has "fsattn-cache export FILE.fsc --store late.db"
out_has "^error after .*, 3 winners$"
"$cache" export late.fsc --store late.db >"$work/out"
out_has "3 winners and 3 defaults"

# Nobody to tell: standard output is full or closed.
if [ -c /dev/full ]; then
    for program in "$tune --help" "$tune --templates templates toy.yaml --list" "$tune --templates templates toy.yaml --dry-run" \
        "$tune --templates templates toy.yaml --store full.db --cache full.fsc --json" \
        "$tune --templates templates toy.yaml --store full.db --cache full.fsc" "$cache list full.fsc" "$cache --help" \
        "$FSATTN_BIN/fsattn-numerics table8" "$FSATTN_BIN/fsattn-numerics table8 --json" "$FSATTN_BIN/fsattn-inspect --help" \
        "$FSATTN_BIN/attention --help"; do
        for to in full closed; do
            status=0
            if [ $to = full ]; then $program >/dev/full 2>"$work/err" || status=$?; else $program >&- 2>"$work/err" || status=$?; fi
            [ "$status" -eq 4 ] || fail "exit $status instead of 4: $program, $to"
            err_has "standard output: cannot be written"
        done
    done
    "$cache" verify full.db >"$work/out" 2>&1 || fail "something was printed into the store"
fi

# Options that show something, together; numbers.
expect 2 tune toy.yaml --list --dry-run
err_has "--list and --dry-run: each does something of its own"
expect 2 tune toy.yaml --list --json
err_has "--json: --list has no JSON form"
expect 0 tune toy.yaml --list --problem large
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "the problem alone"
for number in 0x10 inf nan 1e ' 5' 5s +5; do
    expect 2 tune toy.yaml --budget "$number"
    err_has "--budget: expected a number from"
done
expect 2 tune toy.yaml --seed 1e3
expect 2 tune toy.yaml --problem ''
err_has "expected one of"
expect 2 tune toy.yaml --strategy q
err_has "expected one of"
expect 2 tune -x
grep -q "did you mean" "$work/err" && fail "a guess from one letter"
expect 0 tune --help
out_has "^Exit status: 0"

# A guess leaves two thirds of the word as they are; what comes once comes once; bounds are whole numbers.
for option in --foo --version --resume; do
    expect 2 tune toy.yaml $option
    err_has "unknown option '$option'"
    ! grep -q "did you mean" "$work/err" || fail "a guess for $option"
done
expect 2 tune toy.yaml --budget 5 --evaluations 3 --budget 9
err_has "^fsattn-tune: --budget: given twice$"
expect 2 tune toy.yaml --store a.db --store=a.db
err_has "--store: given twice"
expect 0 tune toy.yaml --problem small --problem large --list
expect 2 tune toy.yaml --evaluations 0
err_has "from 1 to 1000000000000000, got '0'"
expect 0 tune toy.yaml --seed 0 --evaluations 2 --json --strategy random --store seed.db --cache seed.fsc
out_has '"event":"run",.*"seed":0,'

# Names of files that are none.
expect 2 tune ''
err_has "^fsattn-tune: the name of the space is empty$"
expect 2 "$tune" toy.yaml --templates ''
err_has "^fsattn-tune: --templates: the name of the folder is empty$"
expect 2 tune . --list
err_has "^fsattn-tune: \.: not a regular file$"
ln -s loop.yaml loop.yaml
for path in toy.yaml/y loop.yaml; do
    expect 3 tune $path --list
    err_has "name the file of a space"
done

# What a file says is shown to a terminal, not obeyed by it.
printf 'template: toy\ndevice: host\nproblems: [{name: "a\\eb\\nc", d: 64}]\n' >escape.yaml
expect 2 tune escape.yaml --list
err_has 'a\\x1bb\\nc'
[ "$(tr -d '\n\40-\176' <"$work/err" | wc -c)" -eq 0 ] || fail "control characters in a message"
