#!/usr/bin/env bash
# Somebody cleans up what a run is using: the store is missed, and lost folders of compilers say nothing about a candidate.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
cache=$FSATTN_BIN/fsattn-cache
tune=$FSATTN_BIN/fsattn-tune
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# The store.
sed 's/"noise"/"sleep": 0.02, "noise"/' device.json >slow.json
(
    for _ in $(seq 600); do
        [ "$(grep -c '"event":"candidate"' events 2>/dev/null || true)" -ge 20 ] && break
        sleep 0.05
    done
    rm del.db
) &
status=0
"$tune" --templates templates toy.yaml --device scripted:slow.json --store del.db --cache del.fsc --json >events 2>"$work/err" || status=$?
wait
cp events "$work/out"
[ "$status" -eq 4 ] || fail "exit $status instead of 4"
err_has "^fsattn-tune: .*: del.db: was removed or replaced while it was in use$"
tail -n 1 events | grep -q '"outcome":"error"' || fail "the last event"
[ ! -e del.db ] || fail "made again"
# What was found until then is published all the same.
expect 0 "$cache" verify del.fsc

# The folder of the compilers, by a compiler.
cat >small.yaml <<'YAML'
template: attention_host
device: host
problems:
  - {name: tiny, h: 2, s: 64, d: 64}
YAML
cat >compiler <<SH
#!/bin/sh
if [ -e "$work/remove" ] && [ "\$1" != --version ] && [ "\$1" != -print-prog-name=cc1 ]; then
    what=\$(cat "$work/remove")
    rm "$work/remove"
    rm -rf "$work"/tmp/fsattn-build-\$what
fi
exec cc "\$@"
SH
chmod +x compiler
export CC=$PWD/compiler
small() { "$tune" small.yaml --templates "$FSATTN_SOURCE/templates" --evaluations 2 --budget 200 --jobs 1 --store small.db --cache small.fsc; }
# The whole folder, and what one compiler had in it.
for what in '*' '*/*'; do
    echo "$what" >"$work/remove"
    expect 4 small
    err_has "^fsattn-tune: .*/fsattn-build-.* was removed"
    err_has "what was found is stored: run again"
    expect 0 "$cache" list small.db --all
    out_has "^0 results for 0 problems$"
    [ -z "$(ls "$TMPDIR")" ] || fail "something is left: $(ls "$TMPDIR")"
done
expect 0 small
expect 0 "$cache" list small.db --all
out_has ", 0 crashed, .* 1 ok,"
echo passed
