#!/usr/bin/env bash
# tools/space-from-json: a definition of somebody else's space becomes one of ours, with the valid set that a filter in Python leaves.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
tune=$FSATTN_BIN/fsattn-tune convert=$FSATTN_SOURCE/tools/space-from-json
export TMPDIR=$work
cd "$work"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >Small-One.json <<'END'
{"ConfigurationSpace": {"TuningParameters": [
  {"Name": "MWG", "Type": "int", "Values": "[1, 2] + list(range(4, 13, 4))", "Default": 99},
  {"Name": "unroll", "Type": "int", "Values": "[2**i for i in range(0, 4)]", "Default": [2]},
  {"Name": "pad", "Type": "int", "Values": "[0, 1]", "Default": 1},
  {"Name": "width", "Type": "float", "Values": "[0.5, 1.5, 3.0]", "Default": 1.5}],
 "Conditions": [
  {"Expression": "not pad or MWG % (unroll * 2) != 0"},
  {"Expression": "2 <= MWG * unroll <= 64"},
  {"Expression": "pad == 1 or unroll in [1, 4, 8] or max(MWG, 3) // 2 == 2"},
  {"Expression": "MWG % (8 / unroll) == 0 or width > 1 and (MWG + 1) ** 2 < 30"}]}}
END
expect 0 "$convert" made Small-One.json
quiet
expect 0 "$tune" made/spaces/small_one.yaml --dry-run
out_has "raw: 120 configurations"
# Every valid configuration is run on the scripted device; the list is what a filter leaves.
echo '{"cost": "1000 + mwg"}' >device.json
expect 0 "$tune" made/spaces/small_one.yaml --device scripted:device.json --strategy exhaustive --store t.db --cache t.fsc --json
python3 - "$work/out" <<'END' || fail "another set"
import itertools, json, sys
lists = {"MWG": [1, 2, 4, 8, 12], "unroll": [1, 2, 4, 8], "pad": [0, 1], "width": [0.5, 1.5, 3.0]}
conditions = [c["Expression"] for c in json.load(open("Small-One.json"))["ConfigurationSpace"]["Conditions"]]
expected = set()
for values in itertools.product(*lists.values()):
    named = dict(zip(lists, values))
    if all(eval(c, {"max": max}, named) for c in conditions):
        expected.add(tuple(named.values()))
found, default = set(), None
for line in open(sys.argv[1]):
    event = json.loads(line)
    if event["event"] == "candidate":
        pairs = dict(p.split("=") for p in event["configuration"].split())
        values = (int(pairs["mwg"]), int(pairs["unroll"]), int(pairs["pad"]), float(pairs["width"]))
        found.add(values)
        default = values if event["default"] else default
assert 10 < len(expected) < 110, len(expected)
assert default == (1, 2, 1, 1.5), default
assert found - {default} == expected - {default}, (len(found), len(expected), found ^ expected)
END
out_has '"valid":'

sed 's/not pad or/pad.real or/' Small-One.json >bad.json
expect 1 "$convert" made bad.json
err_has "bad.json: pad.real or MWG % (unroll \* 2) != 0: no translation for 'pad.real'"
sed 's/\[0, 1\]"/().__class__"/' Small-One.json >bad.json
expect 1 "$convert" made bad.json
err_has "bad.json: pad: no translation for"
expect 1 "$convert" made
err_has "usage: tools/space-from-json"
