#!/usr/bin/env bash
# fsattn-cache t4: a run's results as T4, which replay to the same winner; what cannot be exported, and how it fails.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune cache=$FSATTN_BIN/fsattn-cache
export TMPDIR=$work
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
"$tune" toy.yaml --templates templates --store tune.db --cache toy.fsc >"$work/out" 2>"$work/err" || fail "the run"
winner="order=columns tile_m=64 unroll=8"
counts="36 of 36 candidates: 4 build-failed, 2 timeout, 2 wrong, 28 ok"
out_has "$winner\$"
out_has "$counts"

large='attention_fwd b=1 hq=1 hkv=1 sq=1024 sk=1024 d=128 q=f32 kv=f32 o=f32 layout=bshd'
expect 0 "$cache" t4 tune.db --problem "$large"
quiet
mv "$work/out" large.json
python3 - <<'END' || fail "the file is not as it should be"
import json, statistics
data = json.load(open("large.json"))
assert data["schema_version"] == "1.0.0" and data["metadata"]["timeunit"] == "milliseconds"
assert len(data["results"]) == 36
first = data["results"][0]
assert first["configuration"] == {"order": "rows", "tile_m": 32, "unroll": 1}, "the default comes first"
for result in data["results"]:
    ok = result["invalidity"] == "correct"
    assert ok == (len(result["times"]["runtimes"]) > 0) == (len(result["measurements"]) == 1)
    if ok:
        time = result["measurements"][0]
        assert abs(statistics.median(result["times"]["runtimes"]) - time["value"]) < 1e-9 and time["unit"] == "milliseconds"
        assert result["times"]["compilation_time"] == 700
END
expect 0 "$tune" --device replay:large.json --strategy exhaustive
out_has "$winner\$"
out_has "$counts"

# Imported results are somebody else's: they come when asked for, with their median for samples.
expect 0 "$cache" import toy.fsc --store imported.db
expect 3 "$cache" t4 imported.db --problem "$large"
expect 0 "$cache" t4 imported.db --problem "$large" --unproven
mv "$work/out" imported.json
expect 0 "$tune" --device replay:imported.json --strategy exhaustive
out_has "$winner\$"

# Several priors: each problem begins with the best of its own.
python3 - "$large" <<'END'
import json, sys
for name, problem, tile in (("p1", sys.argv[1].replace("d=128", "d=64").replace("=1024", "=128"), 96), ("p2", sys.argv[1], 16)):
    data = json.load(open("large.json"))
    data["metadata"]["problem"] = problem
    data["results"] = [r for r in data["results"] if r["configuration"]["tile_m"] == tile and r["configuration"]["unroll"] == 1]
    for r in data["results"]:
        r["invalidity"], r["times"]["runtimes"], r["measurements"] = "correct", [1, 1], [{"name": "time", "value": 1, "unit": "milliseconds"}]
    json.dump(data, open(name + ".json", "w"))
END
for problem in 'small[s=128] 96' 'large 16'; do
    for order in "p1 p2" "p2 p1"; do
        # shellcheck disable=SC2046,SC2086
        expect 0 "$tune" toy.yaml --templates templates --problem "${problem% *}" --strategy auto --evaluations 2 --store "prior ${problem% *} $order.db" \
            --cache prior.fsc --json $(printf -- '--prior %s.json ' $order)
        [ "$(grep '"event":"candidate"' "$work/out" | sed -n 2p | grep -c "tile_m=${problem##* } ")" = 1 ] || fail "priors $order for $problem"
    done
done

# What the accuracy floor of a space rejects is not correct.
sed 's/^strategy:.*/&\naccuracy: {max_relative_error: 1e-9}/' toy.yaml >floor.yaml
"$tune" floor.yaml --templates templates --problem large --store floor.db --cache floor.fsc >"$work/out" 2>&1 || true
expect 0 "$cache" t4 floor.db
[ "$(grep -c '"invalidity": "correct"' "$work/out")" -eq 0 ] || fail "correct in spite of the floor"

expect 2 "$cache" t4 tune.db
no_output
err_has "results of more than one problem"
err_has "--problem '$large"
expect 3 "$cache" t4 tune.db --problem "${large/sq=1024/sq=77}"
err_has "no results of that problem"
expect 3 "$cache" t4 nowhere.db
