#!/usr/bin/env bash
# Number formats against AMD's host reference in the HIP headers. Exit 77: skipped, the reason is printed.
set -euo pipefail
skip() {
    echo "skipped: formats against AMD's host reference: $*"
    exit 77
}
command -v clang++ >/dev/null || skip "no clang++ (tools/setup installs it)"
header=hip/amd_detail/amd_hip_ocp_host.hpp
include=
for root in "${ROCM_PATH:-}" /opt/rocm "$("$FSATTN_SOURCE/tools/rocm-root" --path || true)/usr"; do
    if [ -f "$root/include/$header" ]; then
        include=$root/include
        break
    fi
done
[ -n "$include" ] || skip "no ROCm headers in ROCM_PATH, /opt/rocm or the private root (tools/rocm-root builds it)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Clang before 16 wants a word that C++20 made optional.
mkdir -p "$work/hip/amd_detail"
for file in amd_hip_ocp_host.hpp amd_hip_ocp_types.h; do
    sed 's/= std::conditional</= typename std::conditional</' "$include/hip/amd_detail/$file" >"$work/hip/amd_detail/$file"
done
clang -std=c17 -O1 -I"$FSATTN_SOURCE/numerics" -c "$FSATTN_SOURCE/numerics/formats.c" -o "$work/formats.o"
clang++ -std=c++20 -O1 -w -isystem "$work" -I"$FSATTN_SOURCE/numerics" "$FSATTN_SOURCE/tests/support/ocp_host.cpp" "$work/formats.o" \
    -lm -o "$work/ocp_host"
"$work/ocp_host"
