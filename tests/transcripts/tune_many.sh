#!/usr/bin/env bash
# Eight cold processes on one store at once: all succeed, each source is compiled once, all find the same winners.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
pids=()
for i in 1 2 3 4 5 6 7 8; do
    "$FSATTN_BIN/fsattn-tune" --templates templates toy.yaml --store tune.db --cache "$i.fsc" --json >"$i.out" 2>"$i.err" &
    pids+=($!)
done
for pid in "${pids[@]}"; do
    wait "$pid" || { echo "FAILED: a process did" >&2; tail -n 5 ./*.err >&2; exit 1; }
done
compiled=$(tail -qn 1 ./*.out | sed 's/.*"compiled":\([0-9]*\).*/\1/' | awk '{ sum += $1 } END { print sum }')
[ "$compiled" -eq 72 ] || { echo "FAILED: $compiled compilations instead of 72" >&2; exit 1; }
winners=$(grep -h '^{"event":"winner"' ./*.out | sed 's/.*"identity":"\([^"]*\)".*/\1/' | sort -u | wc -l)
[ "$winners" -eq 1 ] || { echo "FAILED: different winners" >&2; exit 1; }
