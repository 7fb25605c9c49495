#!/usr/bin/env bash
# The Python package against the library that was built, on NumPy arrays. FSATTN_PYTHON names another interpreter, and
# FSATTN_PYTHON_TESTS other modules of python/tests (make test-torch).
set -euo pipefail
read -ra tests <<<"${FSATTN_PYTHON_TESTS:-test_numpy}"
build=$FSATTN_BIN/..
if grep -q '^FSATTN_SANITIZE:[A-Z]*=.' "$build/CMakeCache.txt"; then
    echo "skipped: Python cannot load a library with a sanitizer"
    exit 77
fi
case ${tests[*]} in
*test_torch*)
    # The root that make test-torch builds, in the home of the user, which a test's HOME is not. Nothing is downloaded here.
    root=$(HOME=$(getent passwd "$(id -u)" | cut -d: -f6) "$FSATTN_SOURCE/tools/torch-root" --path || true)
    needed=torch
    candidates=("$root/python3" python3 /usr/bin/python3)
    hint="make test-torch gets PyTorch from Debian sid, 245 MB"
    ;;
*)
    needed=numpy
    candidates=("$build/python/bin/python3" python3 /usr/bin/python3)
    hint="tools/setup installs python3-numpy"
    ;;
esac
if [ -n "${FSATTN_PYTHON:-}" ]; then
    candidates=("$FSATTN_PYTHON")
    hint="FSATTN_PYTHON is $FSATTN_PYTHON"
fi
python=
for candidate in "${candidates[@]}"; do
    if "$candidate" -c "import $needed" 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "skipped: no Python with $needed ($hint)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache PYTHONDONTWRITEBYTECODE=1
# Float32 kernels that are easy to read, and one of BF16 and one of FP16 that the tuner made, as everywhere with verification.
"$build/tests/make_cache" "$work/float32.fsc" "hq=2 hkv=2 sq=40 sk=40 d=64 layout=bhsd" \
    "hq=2 hkv=2 sq=40 sk=40 d=64 layout=bhsd mask=causal" "hq=2 hkv=2 sq=40 sk=40 d=64 layout=bhsd lse=1"
"$build/tests/make_cache" "$work/foreign.fsc" --foreign "hq=2 hkv=2 sq=50 sk=50 d=64 layout=bhsd"
for _ in 1 2 3; do # one candidate for each is all that is asked for, and on a machine that is short of everything it may fail
    rm -f "$work"/t.db*
    "$FSATTN_BIN/fsattn-tune" "$FSATTN_SOURCE/spaces/host.yaml" --problem small_bf16 --problem small_f16 --evaluations 1 --store "$work/t.db" \
        --cache "$work/halves.fsc" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    [ "$("$FSATTN_BIN/fsattn-cache" list "$work/halves.fsc" | grep -c "q=b*f16")" != 2 ] || break
done
[ -e "$work/halves.fsc" ] || { cat "$work/log" >&2; exit 1; }
export FSATTN_LIBRARY=$build/lib/libfsattn.so FSATTN_TEST_CACHES=$work/float32.fsc:$work/halves.fsc
export FSATTN_TUNE=$FSATTN_BIN/fsattn-tune FSATTN_REBUILD=$FSATTN_BIN/fsattn-rebuild FSATTN_TEST_FOREIGN=$work/foreign.fsc
export FSATTN_TEST_SIMULATOR=$build/lib/simulator/libamdhip64.so.7
export PYTHONPATH=$FSATTN_SOURCE/python
cd "$FSATTN_SOURCE/python/tests"
"$python" -W error::SyntaxWarning -m unittest -v "${tests[@]}" 2>&1 | tee "$work/log"
grep -qE '^OK( |$)' "$work/log"
sed -n "s/^.* skipped '/skipped: in Python, '/p" "$work/log"
