#!/usr/bin/env bash
# fsattn-inspect: a configuration, a sample of a space, and what is said when neither is possible.
set -euo pipefail
inspect=$FSATTN_BIN/fsattn-inspect
family=$FSATTN_SOURCE/templates/attention_gfx950
fail() {
    echo "inspect.sh: $*" >&2
    exit 1
}
expect() { # status, text that stdout or stderr must hold, arguments...
    local wanted=$1 text=$2 status=0 said
    shift 2
    said=$("$inspect" "$@" 2>&1) || status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted: $said"
    grep -qF -- "$text" <<<"$said" || fail "$*: says '$said', not '$text'"
}
expect 2 "which template?"
expect 0 "usage: fsattn-inspect" --help
expect 2 "rejected: pingpong needs three slots" "$family" --config schedule=pingpong
expect 2 "did you mean 'depth'" "$family" --config depht=3
expect 0 "fsattn_attention(const fsattn_gpu_attention_args args)" "$family" --source
expect 3 "is for the host, not for a GPU" "$FSATTN_SOURCE/templates/attention_host" --rocm /nonexistent
expect 3 "is for the host, not for a GPU" "$FSATTN_SOURCE/spaces/host.yaml" --rocm /nonexistent
expect 3 "/nonexistent: neither a ROCm 7 installation nor a private ROCm root" "$family" --rocm /nonexistent
if ! "$inspect" "$family" >/dev/null 2>&1; then
    echo "skipped: compiling for gfx950: $("$inspect" "$family" 2>&1 | head -n 1)"
    exit 77
fi
expect 0 "18 v_mfma_scale_f32_32x32x64_f8f6f4" "$family"
expect 0 "0 failed" "$FSATTN_SOURCE/spaces/mi355x.yaml" --sample 1
expect 3 "is for the host" "$FSATTN_SOURCE/spaces/host.yaml"
expect 0 "GEMM 1024, vector 2304" "$family"
# fsattn-tune without a device: everything into the store, once; one configuration.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
inspect=$FSATTN_BIN/fsattn-tune
space=$FSATTN_SOURCE/spaces/mi355x.yaml
expect 0 "0 failed" "$space" --compile-only --problem small --sample 3 --store "$folder/t.db"
expect 0 "0 compilations" "$space" --compile-only --problem small --sample 3 --store "$folder/t.db"
# Strides and the log-sum-exp are arguments: other problems of the same head and mask need no other code.
expect 0 "0 compilations" "$space" --compile-only --problem bhsd --problem lse --sample 3 --store "$folder/t.db"
expect 0 "share of the MFMA bound" "$space" --inspect
expect 2 "rejected: pingpong needs three slots" "$space" --inspect schedule=pingpong
expect 3 "is for the host" "$FSATTN_SOURCE/spaces/host.yaml" --compile-only --store "$folder/t.db"
