#!/usr/bin/env bash
# fsattn-sim: the report and the trace of a kernel's modelled time, of any HIP program and of a template's configuration.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
sim=$FSATTN_BIN/fsattn-sim
read_trace=$FSATTN_BIN/../tests/read_trace
home=$(getent passwd "$(id -u)" | cut -d: -f6)
expect 2 "$sim"
err_has "which kernel?"
expect 2 "$sim" --model fast -- true
err_has "expected pessimistic or optimistic, got 'fast'"
expect 0 "$sim" --help
out_has "usage: fsattn-sim"
expect 3 "$sim" "$FSATTN_SOURCE/templates/attention_host"
err_has "is for host, not for gfx950"
# A program that launches nothing; its exit status counts when it fails.
"$sim" -- true >"$work/out" 2>"$work/err" && fail "nothing was launched"
err_has "no kernel was launched on the simulator"
expect 5 "$sim" -- sh -c 'exit 5'
# A trace takes the place of a trace only.
echo notes >"$work/notes.txt"
expect 2 "$sim" --trace "$work/notes.txt" -- true
err_has "^fsattn-sim: --trace: would be replaced, but is no sound trace: .*notes.txt: is not one"
ln -s notes.txt "$work/link.json"
expect 2 "$sim" --trace "$work/link.json" -- true
err_has "is a symbolic link"
[ "$(cat "$work/notes.txt")" = notes ] || fail "a file of another kind was replaced"
# A program that launches: the simulator's own tests do.
if [ -x "$FSATTN_BIN/../tests/test_simulator" ] && ! grep -q __asan_init "$FSATTN_BIN/../lib/simulator/libamdhip64.so.7"; then
    expect 0 "$sim" --trace "$work/basic.json" --kernel softmax_rows -- "$FSATTN_BIN/../tests/test_simulator" --filter simulator/time_is_modelled
    out_has "^modelled: softmax_rows, 1 workgroups of 64 threads; 1 executed"
    out_has "^modelled: softmax_rows, 768 workgroups of 64 threads; 1 executed"
    expect 0 "$read_trace" "$work/basic.json"
fi
# The configuration of a template.
attention() { # arguments...
    HOME=$home "$sim" "$FSATTN_SOURCE/templates/attention_gfx950" --problem "hq=2 hkv=2 sq=512 sk=2048 q=bf16 kv=bf16 o=bf16" "$@"
}
if ! HOME=$home "$FSATTN_BIN/fsattn-inspect" "$FSATTN_SOURCE/templates/attention_gfx950" >/dev/null 2>"$work/err"; then
    echo "skipped: a template's modelled time: $(head -n 1 "$work/err")"
    exit 77
fi
expect 2 attention --config "depht=3"
err_has "did you mean 'depth'"
expect 0 attention --trace "$work/plain.json" --model optimistic
out_has "^modelled: fsattn_attention, 4 workgroups of 512 threads; 1 executed, 1 traced"
# Where the waves' cycles went adds up, for both figures.
awk '/^where/ { on = 1; next }
     on && /all waves together/ { if (a != $(NF - 3) || b != $(NF - 1)) exit 1; found = 1 }
     on && /^  (issuing|waiting)/ { a += $(NF - 3); b += $(NF - 1) }
     END { exit !found }' "$work/out" || fail "the breakdown does not add up"
expect 0 "$read_trace" "$work/plain.json"
plain=$(sed -n 's/.*matrix work \([0-9]*\) %$/\1/p' "$work/out")
expect 0 attention --config "schedule=pingpong depth=3" --trace "$work/pingpong.json" --model optimistic
expect 0 "$read_trace" "$work/pingpong.json"
pingpong=$(sed -n 's/.*matrix work \([0-9]*\) %$/\1/p' "$work/out")
expect 0 attention --config "schedule=pingpong depth=3 priority=true" --trace "$work/priority.json" --model optimistic
expect 0 "$read_trace" "$work/priority.json"
priority=$(sed -n 's/.*matrix work \([0-9]*\) %$/\1/p' "$work/out")
# Eight-wave ping-pong: one group's matrix work lies over the other group's vector work, three times as much of it as when all waves go in
# step, and most of it when matrix work goes first.
[ "$pingpong" -ge 30 ] && [ "$pingpong" -ge $((3 * plain)) ] && [ "$priority" -ge 50 ] ||
    fail "ping-pong: $pingpong %, with priority $priority %, plain: $plain %"
# Where nothing may issue beside a matrix instruction, nothing is shown beside one.
expect 0 attention --config "schedule=pingpong depth=3" --trace "$work/pessimistic.json"
expect 0 "$read_trace" "$work/pessimistic.json"
out_has "pessimistic; .* matrix work 0 %$"
