#!/usr/bin/env bash
# A cache file for a GPU whose code objects run nowhere: quantizers and attention are compiled anew from the sources in it, proved on the
# simulator, and served.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
unset HOME # the private ROCm root is the user's
HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
export HOME XDG_DATA_HOME=$work/data
if ! "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >"$work/out" 2>&1; then
    echo "skipped: compiling for gfx950: $(head -n 1 "$work/out")"
    exit 77
fi
rebuild=$FSATTN_BIN/fsattn-rebuild
expect 0 "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/mi355x.yaml" --device sim --problem "small[s=256]" --evaluations 1 --store "$work/t.db" \
    --cache "$work/t.fsc"
expect 0 "$FSATTN_BIN/fsattn-cache" text "$work/t.fsc"
out_has "stage.0.source: [0-9a-f]* ([0-9]* bytes)"
out_has "stage.0.options: .*--offload-arch="
"$FSATTN_BIN/../tests/make_cache" "$work/foreign.fsc" --foreign-of "$work/t.fsc"
expect 1 "$FSATTN_BIN/attention" --device sim --all "$work/foreign.fsc"
expect 0 "$rebuild" "$work/foreign.fsc" --device sim --cache "$work/here.fsc"
out_has "here.fsc: [1-9][0-9]* records\\? compiled anew$"
expect 0 "$FSATTN_BIN/attention" --device sim --all "$work/here.fsc"
out_has "^tuned .* right .* attention_gfx950"
# In the background of an application, where nothing serves until then. The comment that opens a source names the configuration and is
# not compiled: another makes the same build.
"$FSATTN_BIN/../tests/make_cache" "$work/reworded.fsc" --foreign-of "$work/t.fsc" --reworded
cmp -s "$work/reworded.fsc" "$work/foreign.fsc" && fail "no other comment"
expect 0 "$FSATTN_BIN/../tests/serve_misses" sim "${FSATTN_SIM_LIBRARY:-$FSATTN_BIN/../lib/simulator/libamdhip64.so.7}" "$work/reworded.fsc" \
    "$work/compiled" "$rebuild" --device sim
[ "$(cat "$work/out")" = $'nothing\ntuned\nnoted 1, compiled 1, failed 0' ] || fail "not compiled in the background"
expect 0 "$FSATTN_BIN/attention" --device sim --all "$work/compiled/"*.fsc
out_has "^tuned .* right .* attention_gfx950"
keys() { "$FSATTN_BIN/fsattn-cache" text "$1" | sed -n 's/^ *build_key: //p' | sort -u; }
[ -n "$(keys "$work/here.fsc")" ] || fail "no build key"
grep -qxF "$(keys "$work"/compiled/*.fsc)" <(keys "$work/here.fsc") || fail "the opening comment is in the build key"
expect 7 "$rebuild" "$work/foreign.fsc" --cache "$work/none.fsc"
err_has "is for target gfx950"
[ ! -e "$work/none.fsc" ] || fail "something was published"
