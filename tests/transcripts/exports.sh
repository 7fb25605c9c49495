#!/usr/bin/env bash
# libfsattn exports exactly what fsattn.h declares, under one version, and needs nothing but libc and libsodium.
set -euo pipefail
export LC_ALL=C
library=$FSATTN_BIN/../lib/libfsattn.so
header=$FSATTN_SOURCE/runtime/include/fsattn.h
declared=$(sed -n 's/^FSATTN_API .*[ *]\(fsattn_[a-z0-9_]*\)(.*/\1@@FSATTN_0.1/p' "$header" | sort)
exported=$(nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort)
[ "$(wc -l <<<"$declared")" -ge 15 ] || { echo "the header's functions were not recognised" >&2; exit 1; }
if [ "$declared" != "$exported" ]; then
    echo "declared (<) and exported (>) differ:" >&2
    diff <(echo "$declared") <(echo "$exported") >&2
    exit 1
fi
# Every declaration was seen: one FSATTN_API for each function.
[ "$(grep -c '^FSATTN_API ' "$header")" -eq "$(wc -l <<<"$declared")" ]
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
if grep -E 'sqlite|lua|yaml|jansson|hip' <<<"$needed"; then
    echo "libfsattn must not need these" >&2
    exit 1
fi
readelf -d "$library" | grep -q 'SONAME.*\[libfsattn.so.0\]'
