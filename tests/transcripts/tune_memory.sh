#!/usr/bin/env bash
# Problems larger than the machine's memory are refused at their place before anything is compiled, and told of by --dry-run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_DATA_HOME=$folder/data XDG_CACHE_HOME=$folder/cache CC=/nonexistent/compiler
fail() {
    echo "tune_memory: $*" >&2
    exit 1
}
for sizes in 's: 1000000000' 's: 512, h: 1000000000' 's: 1000000000, h: 1000000'; do
    cat >"$folder/large.yaml" <<YAML
template: attention_host
device: host
problems:
  - {name: small, h: 2, s: 64, d: 64}
  - {name: large, h: 2, $sizes, d: 64}
YAML
    case $sizes in *h:*) sed -i 's/large, h: 2,/large,/' "$folder/large.yaml" ;; esac
    status=0
    "$FSATTN_BIN/fsattn-tune" "$folder/large.yaml" --templates "$FSATTN_SOURCE/templates" --store "$folder/t.db" --cache "$folder/t.fsc" \
        >"$folder/out" 2>&1 || status=$?
    [ "$status" -ne 0 ] || fail "$sizes: accepted"
    grep -q "large.yaml:5:.*large: verifying and timing it takes .* of memory, available are" "$folder/out" || fail "$sizes: $(cat "$folder/out")"
    grep -q -- "--problem" "$folder/out" || fail "$sizes: no way out: $(cat "$folder/out")"
    [ ! -e "$folder/t.db" ] || fail "$sizes: a store was made"
    "$FSATTN_BIN/fsattn-tune" "$folder/large.yaml" --templates "$FSATTN_SOURCE/templates" --dry-run >"$folder/out" 2>"$folder/err" ||
        fail "$sizes: --dry-run: $(cat "$folder/err")"
    grep -q "warning: .*large.yaml:5:.*takes .* of memory" "$folder/err" || fail "$sizes: --dry-run does not warn: $(cat "$folder/err")"
done
"$FSATTN_BIN/fsattn-tune" "$folder/large.yaml" --templates "$FSATTN_SOURCE/templates" --problem small --dry-run >"$folder/out" 2>"$folder/err"
[ ! -s "$folder/err" ] || fail "a small problem is warned of: $(cat "$folder/err")"
