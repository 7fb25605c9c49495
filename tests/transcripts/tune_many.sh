#!/usr/bin/env bash
# Eight cold processes on one store at once: all succeed, each source is compiled once, all find winners that are equally fast.
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
# Noise may make two of them resolve a tie differently; nobody may end with a slower kernel.
grep -h '^{"event":"winner"' ./*.out | sed 's/.*"name":"\([^"]*\)".*"median_ns":\([0-9.e+]*\).*/\1 \2/' | awk '
    { n++; if (!($1 in low) || $2 < low[$1]) low[$1] = $2; if ($2 > high[$1]) high[$1] = $2 }
    END {
        if (n != 24) { print "FAILED: " n " winners instead of 24"; exit 1 }
        for (name in low) if (high[name] > 1.03 * low[name]) { print "FAILED: " name ": winners of " low[name] " and " high[name] " ns"; exit 1 }
    }' >&2
