#!/usr/bin/env bash
# An ordinary HIP program, built against HIP's headers and linked with AMD's own library, runs when its loader finds the simulator.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
skip() {
    echo "skipped: a HIP program without this project: $*"
    exit 77
}
here=$(cd "$FSATTN_BIN/../lib/simulator" && pwd)
root=$(HOME=$(getent passwd "$(id -u)" | cut -d: -f6) "$FSATTN_SOURCE/tools/rocm-root" --path || true)
include= library=
for place in "${ROCM_PATH:-}" /opt/rocm "$root/usr"; do
    for folder in lib lib/x86_64-linux-gnu; do
        if [ -z "$library" ] && [ -f "$place/include/hip/hip_runtime_api.h" ] && [ -f "$place/$folder/libamdhip64.so.7" ]; then
            include=$place/include library=$place/$folder/libamdhip64.so.7
        fi
    done
done
[ -n "$library" ] || skip "no ROCm 7 in ROCM_PATH, /opt/rocm or the private root (tools/rocm-root builds it)"
# A library that was built with a sanitizer needs a program that was.
flags=()
for name in address thread; do
    ! grep -q "__${name:0:1}san_init" "$here/libamdhip64.so.7" || flags+=("-fsanitize=$name")
done
cc=${CC:-cc}
"$cc" -std=c17 -Wall -Wextra -D__HIP_PLATFORM_AMD__ -isystem "$include" "${flags[@]}" "$FSATTN_SOURCE/tests/support/plain_hip.c" \
    "$library" -Wl,--allow-shlib-undefined -o "$work/plain_hip"
! ldd "$work/plain_hip" 2>&1 | grep -q fsattn || fail "it knows the project"
export FSATTN_SIM_CACHE=$FSATTN_SOURCE/tests/data/sim FSATTN_ROCM_ROOT=/nowhere
expect 127 env LD_LIBRARY_PATH=/nowhere "$work/plain_hip" "$FSATTN_SOURCE/tests/data/sim/basic.co"
err_has "libamdhip64.so.7"
expect 0 env FSATTN_SIM_QUIET=1 LD_LIBRARY_PATH="$here" "$work/plain_hip" "$FSATTN_SOURCE/tests/data/sim/basic.co"
out_has "^1 device: AMD Instinct MI355X (simulated), gfx950:sramecc+:xnack-, 256 units, wave 64, 288 GiB, HIP 7$"
out_has "^1000 sums right, 8 blocks on a unit, took time$"
out_has "^a graph of 4 nodes launched twice; hipErrorStreamCaptureUnsupported, hipErrorStreamCaptureInvalidated, hipErrorStreamCaptureInvalidated, hipErrorIllegalState$"
out_has "^hipErrorNotFound, hipErrorInvalidImage, then hipErrorInvalidImage$"
quiet # no complaint of the loader about versions of symbols
expect 1 env FSATTN_SIM_QUIET=1 LD_LIBRARY_PATH="$here" "$work/plain_hip" "$FSATTN_SOURCE/tests/data/sim/README.md"
err_has "hipModuleLoad.*hipErrorInvalidImage"
# No code object of another processor, and no file that is not there.
expect 1 env FSATTN_SIM_QUIET=1 LD_LIBRARY_PATH="$here" "$work/plain_hip" "$work/none.co"
err_has "hipErrorFileNotFound"
