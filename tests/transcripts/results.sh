#!/usr/bin/env bash
# Commands of docs/results.md, on compiled code: which overshoots each gate sees (executed as emulated, and maximum3 misses its band alone);
# a rival is right on all inputs, those with NaN too.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
unset HOME # the private ROCm root is the user's
HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
export HOME XDG_DATA_HOME=$work/data
if ! "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >"$work/out" 2>&1; then
    echo "skipped: compiling for gfx950: $(head -n 1 "$work/out")"
    exit 77
fi
expect 0 "$FSATTN_BIN/bench_rollback" bands
out_has "^ *31.3  *0  *[0-9.e-]*  *0  *[0-9.e-]*  *0  *[0-9.e-]*$"
out_has "^ *128.5  *2  *[0-9.e-]*  *2  *[0-9.e-]*  *2  *[0-9.e-]*$"
out_has "^ *129.5  *2  *[0-9.e-]*  *2  *[0-9.e-]*  *0  *[01]\\.[0-9]*$"
out_has "^ *376.0  *2  *[0-9.e-]*  *2  *[0-9.e-]*  *0  *[01]\\.[0-9]*$"
out_has "^ *400.3  *2  *[0-9.e-]*  *2  *[0-9.e-]*  *2  *[0-9.e-]*$"
expect 2 "$FSATTN_BIN/bench_rollback" nothing
(cd "$work" && "$FSATTN_BIN/fsattn-rivals" >out 2>err) && fail "rivals without templates"
err_has "templates/attention_gfx950/manifest.lua: No such file"
err_has "name the folder of the kernel templates with --templates"
expect 0 "$FSATTN_BIN/fsattn-rivals" --templates "$FSATTN_SOURCE/templates" --keys 512 --only Direct-P
out_has "^MXFP4, Direct-P  *[1-9][0-9]*  *1.00x .* 0\.[0-9]*  *0\.9[0-9]*"
