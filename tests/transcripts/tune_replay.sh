#!/usr/bin/env bash
# fsattn-tune on result files of other tools: no space file, the optimum of the data, nothing kept, and how it fails.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune
tune() { "$tune" "$@"; }
export TMPDIR=$work
data=$FSATTN_SOURCE/tests/data/replay

expect 0 tune --device "replay:$data/convolution.json.gz" --strategy exhaustive --budget 100000
out_has "block_size_x=32 block_size_y=4"
out_has "37 of 37 candidates: 3 build-failed, 3 launch-failed, 31 ok"
[ ! -e "$work/data" ] || fail "a replay wrote into the user's data"
[ -z "$(ls "$work" | grep fsattn-replay)" ] || fail "a replay left its store"
# Every strategy finds it, the budget being large enough; the same seed twice gives the same stream.
for strategy in $("$tune" --help | sed -n '/^strategies/,/^devices/s/^  \([a-z_]*\) .*/\1/p'); do
    expect 0 tune --device "replay:$data/convolution.json" --strategy "$strategy" --budget 100000 --json
    grep '"event":"winner"' "$work/out" | grep -q 'block_size_x=32 block_size_y=4' || fail "$strategy: another winner"
    grep '"event":"candidate"' "$work/out" >"$work/first"
    expect 0 tune --device "replay:$data/convolution.json" --strategy "$strategy" --budget 100000 --json
    grep '"event":"candidate"' "$work/out" | cmp - "$work/first" || fail "$strategy: another order"
done
expect 0 tune --device "replay:$data/convolution.json" --dry-run
out_has "valid: 37"
# A store of one's own resumes.
expect 0 tune --device "replay:$data/results.t4.json" --store "$work/own.db" --budget 100000
out_has "6 of 6 candidates: 1 rejected, 1 build-failed, 1 timeout, 1 wrong, 2 ok"
expect 0 tune --device "replay:$data/results.t4.json" --store "$work/own.db" --budget 100000
out_has ", 6 resumed,"

# Without a winner nobody is sent to a store that is gone.
sed 's/"time": [0-9][0-9.e-]*/"time": "RuntimeFailedConfig"/; s/"times": [[][^]]*[]]/"times": []/' "$data/convolution.json" >"$work/none.json"
expect 3 tune --device "replay:$work/none.json" --budget 100000
err_has "keep the results and list them: --store FILE.db"

expect 2 tune space.yaml --device "replay:$data/convolution.json"
err_has "space.yaml: a replay takes its space from the data"
expect 2 tune --cache x.fsc --device "replay:$data/convolution.json"
expect 2 tune --device replay:
expect 3 tune --device replay:nowhere.json
err_has "nowhere.json: No such file"
echo '{"cache": 1}' >"$work/bad.json"
expect 2 tune --device "replay:$work/bad.json"
err_has "bad.json:1:11: expected '{', got '1'"
head -c 3000 "$data/convolution.json.gz" >"$work/cut.json.gz"
expect 5 tune --device "replay:$work/cut.json.gz"
err_has "cut.json.gz: "

# A prior: the first that is tried after the default is its best; what makes no use of it says so.
expect 0 tune --device "replay:$data/convolution.json.gz" --prior "$data/convolution.json" --evaluations 2 --json
python3 - "$work/out" "$data/convolution.json" <<'END' || fail "the prior's best is not tried first"
import json, statistics, sys
tried = [e["configuration"] for e in map(json.loads, open(sys.argv[1])) if e["event"] == "candidate"]
cache = json.load(open(sys.argv[2]))["cache"].values()
best = min((e for e in cache if isinstance(e["time"], float)), key=lambda e: statistics.median(e["times"][1:]))
assert len(tried) == 2 and all(str(best[k]) == v for k, v in (pair.split("=") for pair in tried[1].split())), tried
END
expect 2 tune --device "replay:$data/convolution.json.gz" --prior "$data/convolution.json" --strategy random
err_has "prior: strategy random makes no use of one"
err_has "auto and surrogate do"
expect 2 tune --device "replay:$data/convolution.json.gz" --prior "$data/results.t4.json"
err_has "results.t4.json: parameter '"
