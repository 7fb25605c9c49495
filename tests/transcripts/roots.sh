#!/usr/bin/env bash
# The tools of the private roots, where there is no root: no command but the one that builds it downloads anything.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
for root in ROCM:rocm TORCH:torch; do
    tool=$FSATTN_SOURCE/tools/${root#*:}-root
    export "FSATTN_${root%:*}_ROOT=$folder/none"
    expect() { # status, line, arguments
        local status=0
        "$tool" "${@:3}" >"$folder/out" 2>&1 || status=$?
        [ "$status" = "$1" ] && [ "$(cat "$folder/out")" = "$2" ] || fail "$tool ${*:3}: exit $status, expected $1: $(cat "$folder/out")"
    }
    name=tools/${root#*:}-root
    expect 1 "$folder/none" --path
    expect 1 "$name: $folder/none is not there; build it: $name" --run true
    expect 1 "$name: unknown argument '--build'; see the head of this file" --build
    mkdir "$folder/none" && : >"$folder/none/packages.tsv"
    expect 0 "$folder/none" --path
    expect 1 "$name: --run needs a program" --run
    rm -r "$folder/none"
    unset "FSATTN_${root%:*}_ROOT"
    HOME=$folder XDG_CACHE_HOME='' expect 1 "$folder/.cache/fsattn/${root#*:}-root" --path
done
