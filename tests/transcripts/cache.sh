#!/usr/bin/env bash
# fsattn-cache as its users see it: every command, and every way of failing that has a message.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
cache=$FSATTN_BIN/fsattn-cache
make_store=$FSATTN_BIN/../tests/make_store
cd "$work"

# ---- the command line
expect 2 "$cache"
err_has "^usage: fsattn-cache COMMAND"
no_output
expect 0 "$cache" --help
quiet
for command in list show verify export import merge gc diff text key sign; do
    grep -q "^  $command " "$work/out" || fail "--help does not name $command"
done
for command in list show verify export import merge gc diff text key sign; do
    expect 0 "$cache" $command --help
    out_has "^usage: fsattn-cache $command"
    quiet
done
expect 2 "$cache" exprot
err_has "unknown command 'exprot'"
err_has "did you mean 'export'"
expect 2 "$cache" --version
err_has "a command comes first"
expect 2 "$cache" gc --dryrun
err_has "did you mean '--dry-run'"
expect 2 "$cache" import
err_has "^fsattn-cache: import: expected 1 argument, got 0"
expect 2 "$cache" merge
err_has "expected at least 1 argument, got 0"
expect 2 "$cache" gc --keep-days never
err_has "expected a whole number"
expect 2 "$cache" list --verdict wrnog
err_has "did you mean 'wrong'"

# ---- nothing there yet
expect 3 "$cache" list
err_has "data/fsattn/tune.db"
[ ! -e data ] || fail "reading must not create anything"
expect 3 "$cache" verify missing.fsc
err_has "missing.fsc"
err_has "name a store"

expect 3 env -u HOME -u XDG_DATA_HOME "$cache" list
err_has "set HOME or XDG_DATA_HOME to an absolute path"

# ---- list, show, text
"$make_store" data/fsattn/tune.db '0@1000' '1@1500' '2@3000!' 3:wrong 4:build-failed
expect 0 "$cache" list
out_has "attention_host tile_m=32 tile_n=64"
out_has "^4 results for 1 problems$"
out_has "1 build-failed, .* 1 wrong, 3 ok"
expect 0 "$cache" list --all
out_has "^5 results for 1 problems$"
out_has "wrong .* tile_m=35 tile_n=64: as asked for"
expect 0 "$cache" list --verdict wrong
out_has "^1 results for 1 problems$"
expect 0 "$cache" list --problem "hq=12 hkv=12 sk=512 sq=512 d=64"
out_has "^4 results for 1 problems$"
for only in --template=another "--problem=hq=3 hkv=3 sk=7 sq=7 d=64"; do
    expect 3 "$cache" list "$only"
    err_has "no results of that problem and template"
done
for command in list export t4; do
    expect 2 "$cache" $command --problem=
    err_has "^fsattn-cache: --problem: expected a problem, got nothing"
done
expect 2 "$cache" list --problem "sq=many"
err_has "expected a whole number, got 'many'"
"$cache" list --verdict wrong >out
key=$(awk '/tile_m=35/ { print $1 }' out)
expect 0 "$cache" show "$key"
out_has "^verdict  *wrong"
out_has "^reason  *as asked for"
expect 3 "$cache" show 00000000
err_has "no result begins so"
expect 2 "$cache" show 12
err_has "at least 4 hexadecimal digits"
"$cache" list >out
key=$(awk '/tile_m=32/ { print $1 }' out)
expect 0 "$cache" show "$key" --source
[ "$(cat out)" = "int kernel_0;" ] || fail "another source"
expect 0 "$cache" show "$key" --code "$work/code"
[ "$(cat code)" = "code of 0" ] || fail "another code object"

# ---- export, verify, diff
expect 0 "$cache" export a.fsc
out_has "a.fsc: 3 winners and 1 defaults for 1 problems"
quiet
expect 0 "$cache" verify a.fsc
out_has "4 records, all sound"
expect 0 "$cache" verify
out_has "rows, all sound"
expect 0 "$cache" export
[ -s data/fsattn/fsattn.fsc ] || fail "the default file is in the data folder"
cmp a.fsc data/fsattn/fsattn.fsc || fail "the same winners give the same bytes"
expect 0 "$cache" list a.fsc
out_has "^4 results for 1 problems$"
expect 0 "$cache" diff a.fsc data/fsattn/tune.db
out_has "^0 only in the first, 0 only in the second, 0 changed$"
cp a.fsc before.fsc
expect 3 "$cache" export a.fsc --problem "hq=3 hkv=3 sk=7 sq=7 d=64"
err_has "no result to publish in the store; a.fsc stays as it is"
cmp a.fsc before.fsc || fail "an empty export touched the file"
expect 0 "$cache" export --text
cp out before.txt
expect 0 "$cache" text a.fsc
cmp out before.txt || fail "store and cache file have the same text"
"$make_store" data/fsattn/tune.db '0@900'
expect 0 "$cache" text
diff before.txt out >changes || true
[ "$(grep -c '^[<>]' changes)" -eq 4 ] || fail "two facts changed, so two lines: $(cat changes)"
expect 8 "$cache" diff a.fsc data/fsattn/tune.db
out_has "cost.median_ns: 1000 -> 900"
out_has "^0 only in the first, 0 only in the second, 1 changed$"
err_has "differ"

# ---- damage
cp a.fsc damaged.fsc
printf 'X' | dd of=damaged.fsc bs=1 seek=$(($(stat -c %s a.fsc) - 64)) conv=notrunc status=none
expect 5 "$cache" verify damaged.fsc
err_has "warning: damaged.fsc: record .* is left out"
err_has "of 4 records are damaged"
no_output
head -c 100 a.fsc >short.fsc
expect 5 "$cache" list short.fsc
err_has "short.fsc: does not have the length"
: >empty.fsc
expect 5 "$cache" verify empty.fsc
err_has "empty.fsc: is empty"
expect 2 "$cache" verify --signer x.pub data/fsattn/tune.db
err_has "stores are not signed"
echo notes >notes.txt
expect 2 "$cache" list notes.txt
err_has "notes.txt: is not a store"
[ "$(cat notes.txt)" = notes ] || fail "a foreign file was touched"

# ---- import and signatures
expect 0 "$cache" import a.fsc --store other.db
out_has "a.fsc: 3 results, 0 builds"
expect 0 "$cache" list other.db
out_has "^0 results for 0 problems$"
expect 0 "$cache" list other.db --unproven
out_has "(unproven)"
expect 0 "$cache" key me
expect 2 "$cache" key me
err_has "me.key: is there already"
[ "$(stat -c %a me.key)" = 600 ] || fail "the secret key is readable by others"
for name in '' keys/; do
    expect 2 "$cache" key "$name"
    err_has "is no name for a key"
done
[ ! -e .key ] || fail "a key without a name"
touch half.pub
expect 2 "$cache" key half
err_has "half.pub: is there already"
[ ! -e half.key ] || fail "half a pair"
expect 0 "$cache" key somebody
expect 0 "$cache" export signed.fsc --sign me.key
out_has "signed"
expect 0 "$cache" verify signed.fsc
out_has "signed (not checked)"
expect 0 "$cache" verify signed.fsc --signer me.pub
out_has "signature valid"
expect 5 "$cache" verify signed.fsc --signer somebody.pub
err_has "signed by another key"
expect 5 "$cache" import a.fsc --signer me.pub --store other.db
err_has "a.fsc: is not signed"
expect 2 "$cache" verify signed.fsc --signer notes.txt
err_has "expected one line of 64 hexadecimal digits"
expect 2 "$cache" sign a.fsc
err_has "key is missing"
expect 0 "$cache" export later.fsc
expect 0 "$cache" sign later.fsc --key me.key
out_has "later.fsc: 4 records, signed"
cmp later.fsc signed.fsc || fail "signed at once or later, it is the same file"
expect 0 "$cache" sign signed.fsc --key somebody.key --output other.fsc
expect 0 "$cache" verify other.fsc --signer somebody.pub
expect 5 "$cache" sign damaged.fsc --key me.key --output never.fsc
err_has "records are damaged, nothing is signed"
[ ! -e never.fsc ] || fail "a damaged file was signed"
expect 0 "$cache" import signed.fsc --signer me.pub --store other.db
out_has "3 results, 3 builds"
expect 0 "$cache" list other.db
out_has "^4 results for 1 problems$"

# Of a damaged file what is sound is imported, and the status says the rest, as verify does.
expect 5 "$cache" import damaged.fsc --store part.db
out_has "^damaged.fsc: 2 results"
err_has "damaged.fsc: 2 of 4 records are damaged"
python3 - <<'EOF'
import struct
data = bytearray(open("a.fsc", "rb").read())
for record in range(struct.unpack_from("<I", data, 24)[0]):
    data[struct.unpack_from("<Q", data, 96 + 80 * record + 32)[0]] ^= 1
open("ruins.fsc", "wb").write(data)
EOF
expect 5 "$cache" import ruins.fsc --store ruins.db
err_has "ruins.fsc: 4 of 4 records are damaged"
no_output
[ ! -e ruins.db ] || fail "a store of nothing"

# ---- what others can write is shown, and said to be refused
chmod 666 a.fsc
for command in list verify; do
    expect 0 "$cache" $command a.fsc
    err_has "warning: programs will refuse to run its kernels: a.fsc: others may write it (mode 0666)"
    err_has "chmod go-w 'a.fsc'"
done
chmod 644 a.fsc

# ---- in what state a GPU timed a result
"$make_store" state.db '5@1000+' '6@1500'
expect 0 "$cache" list state.db
key=$(sed -n 's/^  \([0-9a-f]\{12\}\).*tile_m=37.*/\1/p' out)
expect 0 "$cache" show "$key" --file state.db
out_has '^stage.0.attribute.gpu.clock_mhz *2100 ? 1998$'
out_has '^stage.0.attribute.gpu.partition *SPX NPS1$'
out_has '^stage.0.attribute.gpu.power_w *950 1400 1390$'
out_has '^stage.0.attribute.gpu.throttled *0 1 ?$'
expect 0 "$cache" t4 state.db
python3 - <<'END' || fail "the state is not as it should be"
import json
of = {r["configuration"]["tile_m"]: r.get("gpu_state") for r in json.load(open("out"))["results"]}
assert of == {37: {"clock_mhz": [2100, None, 1998], "partition": "SPX NPS1", "power_w": [950, 1400, 1390], "throttled": [0, 1, None]}, 38: None}, of
END

# ---- merge
"$make_store" third.db 7 8:crashed
expect 0 "$cache" merge third.db other.db --store merged.db
out_has "third.db: 2 results, 0 builds and 3 blobs added"
out_has "other.db: 3 results, 3 builds"
expect 0 "$cache" merge third.db --store merged.db
out_has "third.db: 0 results, 0 builds and 0 blobs added, 2 results were there"
expect 2 "$cache" merge merged.db --store merged.db
err_has "cannot be merged into itself"
expect 0 "$cache" verify merged.db

# ---- gc
expect 0 "$cache" gc --store data/fsattn/tune.db --dry-run
out_has "would remove 0 results, 0 builds and 2 blobs"
expect 0 "$cache" gc
out_has "^removed 0 results, 0 builds and 2 blobs of 26 bytes$"
expect 0 "$cache" gc
out_has "^removed 0 results, 0 builds and 0 blobs of 0 bytes$"
expect 0 "$cache" verify

# ---- a damaged store is set aside, not deleted
cp data/fsattn/tune.db before.db
size=$(stat -c %s before.db)
head -c $((size / 2)) before.db >data/fsattn/tune.db
expect 5 "$cache" list
err_has "salvages its readable rows"
grep -q 'PRAGMA\|\*\*\*' "$work/err" && fail "SQLite's own words"
cmp -s <(head -c $((size / 2)) before.db) data/fsattn/tune.db || fail "reading changed a damaged store"
expect 0 "$cache" gc --dry-run
err_has "was damaged .* set aside as .*tune.db.damaged-.*; salvaged"
[ "$(ls data/fsattn/tune.db.damaged-*Z | wc -l)" -eq 1 ] || fail "not set aside"
expect 0 "$cache" verify
echo passed
