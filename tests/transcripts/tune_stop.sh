#!/usr/bin/env bash
# Ctrl-C ends a run cleanly, kill -9 at any moment loses the candidate in flight at most; the next run repeats nothing;
# neither do two runs at once.
set -euo pipefail
twins=()
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tune=$FSATTN_BIN/fsattn-tune
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work/toy"
fail() {
    echo "FAILED: $*" >&2
    tail -n 20 ./*.out ./*.err >&2 || true
    exit 1
}
# A real second passes for 20 scripted ones.
sed 's/"noise"/"sleep": 0.05, "noise"/' device.json >slow.json
run() { exec "$tune" --templates templates toy.yaml --device scripted:slow.json --store "$1.db" --cache "$1.fsc" --json; }
measured() { grep -h '^{"event":"candidate"' "$@" | grep '"resumed":false' | sed 's/.*"problem":"\([^"]*\)","configuration":"\([^"]*\)".*/\1 \2/'; }
finish() { # name
    "$tune" --templates templates toy.yaml --device scripted:slow.json --store "$1.db" --cache "$1.fsc" --json >"$1.last.out" 2>"$1.last.err" ||
        fail "the last run of $1"
    tail -n 1 "$1.last.out" | grep -q '"outcome":"done",.*"winners":3,' || fail "the last run of $1 is complete"
}
wait_for() { # file, candidates
    for _ in $(seq 600); do
        [ "$(grep -c '"event":"candidate"' "$1" 2>/dev/null || true)" -ge "$2" ] && return
        sleep 0.05
    done
    fail "no $2 candidates in $1"
}

# Ctrl-C.
(run polite) >polite.1.out 2>polite.1.err &
pid=$!
wait_for polite.1.out 20
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 130 ] || fail "exit $status after Ctrl-C"
tail -n 1 polite.1.out | grep -q '^{"event":"done","outcome":"interrupted"' || fail "no last event"
grep -q 'everything finished is stored' polite.1.err || fail "no word about the store"
[ -s polite.fsc ] || fail "nothing published"
finish polite
[ "$(measured polite.*.out | wc -l)" -eq 108 ] || fail "108 candidates in all, $(measured polite.*.out | wc -l)"
[ -z "$(measured polite.*.out | sort | uniq -d)" ] || fail "a candidate was tried twice after Ctrl-C"

# kill -9, five times.
for part in 1 2 3 4 5; do
    (run killed) >"killed.$part.out" 2>"killed.$part.err" &
    pid=$!
    wait_for "killed.$part.out" $((part * 17))
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
done
finish killed
# A verdict is stored before it is told: of those told none is tried again, and each kill hides one at most.
[ -z "$(measured killed.*.out | sort | uniq -d)" ] || fail "a candidate was tried twice after kill -9"
told=$(measured killed.*.out | wc -l)
[ "$told" -ge 103 ] && [ "$told" -le 108 ] || fail "$told of 108 told"
# The two runs met other noise, so a shoot-out may find a tie in one of them and not in the other (the best two differ by 1.2%, the noise is 1%).
# Then its winner is tied; else both have the same.
winners() { grep '"event":"winner"' "$1" | sed 's/.*"problem":"\([^"]*\)".*"identity":"\([^"]*\)".*"tied":\([0-9]*\).*/\1;\2;\3/'; }
paste -d ';' <(winners polite.last.out) <(winners killed.last.out) >winners
awk -F ';' 'NF != 6 || $1 != $4 || ($2 != $5 && !$3 && !$6) { bad = 1 } END { exit bad || NR != 3 }' winners ||
    fail "other winners, and no tie: $(cat winners)"

# Two equal runs at once on one store: each candidate is measured by one of them, the other takes what that one has found.
for name in first second; do
    (exec "$tune" --templates templates toy.yaml --device scripted:slow.json --store twins.db --cache "$name.fsc" --json) >"twin.$name.out" 2>"twin.$name.err" &
    twins+=($!)
done
for pid in "${twins[@]}"; do
    wait "$pid" || fail "one of two equal runs"
done
grep -h '"verdict":"ok"' twin.*.out >timed.out
[ "$(measured timed.out | wc -l)" -ge 60 ] || fail "the twins timed $(measured timed.out | wc -l) candidates"
[ -z "$(measured timed.out | sort | uniq -d)" ] || fail "both of two runs timed the same candidate"

# A closed terminal ends a run as Ctrl-C does, unless it was started with nohup.
(run closed) >closed.1.out 2>closed.1.err &
pid=$!
wait_for closed.1.out 5
kill -HUP "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 130 ] || fail "exit $status after SIGHUP"
tail -n 1 closed.1.out | grep -q '^{"event":"done","outcome":"interrupted"' || fail "no last event after SIGHUP"
[ -s closed.fsc ] || fail "nothing published after SIGHUP"
(trap '' HUP; run nohup) >nohup.1.out 2>nohup.1.err &
pid=$!
wait_for nohup.1.out 5
kill -HUP "$pid"
wait "$pid" || fail "a run that ignores SIGHUP was ended by it"

# Nobody reads the events any more: the run ends there, with everything stored and published.
{ (run unheard) 2>unheard.1.err || echo $? >unheard.status; } | head -n 5 >unheard.1.out || true
[ "$(cat unheard.status)" = 4 ] || fail "exit $(cat unheard.status) when nobody reads"
grep -q 'standard output: cannot be written' unheard.1.err || fail "no cause when nobody reads"
grep -q 'stored in unheard.db: run the same command again' unheard.1.err || fail "no hint when nobody reads"
[ -s unheard.fsc ] || fail "nothing published when nobody reads"

# A limit on the size of files is an error like a full disk, not a signal.
status=0
(ulimit -f 64; run limited) >limited.1.out 2>limited.1.err || status=$?
[ "$status" -eq 4 ] || fail "exit $status when the store cannot grow"
grep -q 'limited.db: cannot be written' limited.1.err || fail "no cause when the store cannot grow"
