#!/usr/bin/env bash
# The cache file that comes with the library: sound, installed where the library finds it, its figures said to be modelled.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
file=$FSATTN_SOURCE/cache/pretuned/mi355x.fsc
expect 0 "$FSATTN_BIN/fsattn-cache" verify "$file"
expect 0 "$FSATTN_BIN/fsattn-cache" figures "$file"
out_has "^b=1 hq=24 hkv=24 sq=32768 sk=32768 d=128$"
out_has "^b=1 hq=40 hkv=40 sq=75600 sk=75600 d=128$"
out_has "^  mxfp6/mxfp6/mxfp6 .* ms\* .* 2.76x .*128x"
out_has "^\*: modelled by the simulator, not measured$"
expect 0 "$FSATTN_BIN/fsattn-cache" list "$file"
[ "$(grep -c ' winner .*(modelled)$' "$work/out")" -eq "$(grep -c ' winner ' "$work/out")" ] || fail "a cost is not called modelled"
cmake --install "$FSATTN_BIN/.." --prefix "$work/prefix" --component fsattn >/dev/null
cmp "$file" "$work/prefix/share/fsattn/mi355x.fsc" || fail "what is installed is not what is here"
# A FILE that is not there is named.
expect 3 "$FSATTN_BIN/fsattn-cache" figures "$work/nothing.fsc"
err_has "nothing.fsc"
