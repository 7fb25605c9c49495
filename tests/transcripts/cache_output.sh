#!/usr/bin/env bash
# What programs write takes the place of nothing but a sound file of its kind; names are names; what is only asked for is not made.
set -euo pipefail
source "$FSATTN_SOURCE/tests/support/transcript.sh"
cache=$FSATTN_BIN/fsattn-cache
make_store=$FSATTN_BIN/../tests/make_store
tune() { "$FSATTN_BIN/fsattn-tune" --templates toy/templates toy/toy.yaml "$@"; }
cp -r "$FSATTN_SOURCE/tests/data/toy" "$work/toy"
cd "$work"
state() {
    stat -c '%i %s %F' "$1" 2>&1 || true
    if [ -f "$1" ]; then cksum <"$1"; fi
}
# usage: refused FILE MESSAGE COMMAND...; the file, or that there is none, is as it was
refused() {
    local file=$1 message=$2 before
    shift 2
    before=$(state "$file")
    expect 2 "$@"
    err_has "$message"
    no_output
    [ "$(state "$file")" = "$before" ] || fail "$file was touched: $*"
}
"$make_store" own.db '0@1000' '1@1500'
"$make_store" data/fsattn/tune.db '0@1000'
expect 0 "$cache" export a.fsc --store own.db
expect 0 "$cache" key me
"$cache" list a.fsc >list
key=$(awk '/tile_m=32/ { print $1 }' list)

# ---- what is there
echo notes >notes.txt
python3 -c 'import sqlite3; sqlite3.connect("foreign.db").execute("CREATE TABLE t(x)")'
head -c 200 a.fsc >torn.fsc
mkfifo pipe
mkdir folder
cp a.fsc b.fsc
ln -s b.fsc link.fsc
ln -s gone.fsc dangling.fsc
export="$cache export --store own.db"
sign="$cache sign a.fsc --key me.key --output"
show="$cache show $key --file a.fsc --code"
publish="tune --store new.db --cache"
for file in notes.txt foreign.db torn.fsc; do
    refused $file "^fsattn-cache: would be replaced, but is no sound cache file: $file: " $export $file
    err_has "name another file, or move this one away"
    refused $file "^fsattn-cache: --output: would be replaced, but is no sound cache file: $file: " $sign $file
    refused $file "^fsattn-cache: --code: would be replaced, but is no sound code object: $file: is not one" $show $file
    refused $file "^fsattn-tune: --cache: would be replaced, but is no sound cache file: $file: " $publish $file
done
for write in "$export" "$sign" "$show" "$publish"; do
    refused pipe "pipe is not a regular file" $write pipe
    refused folder "folder is a folder" $write folder
    refused link.fsc "link.fsc is a symbolic link, and would be replaced itself" $write link.fsc
    err_has "name the file that it means: $(realpath b.fsc)"
    refused dangling.fsc "dangling.fsc is a symbolic link" $write dangling.fsc
done
cp "$cache" program
refused program "no sound code object: program: can be executed" $show program
head -c 2000 "$FSATTN_SOURCE/tests/data/tiny.gfx950.co" >torn.co
refused torn.co "no sound code object: torn.co" $show torn.co
cp "$FSATTN_SOURCE/tests/data/tiny.gfx950.co" kernel.co
expect 0 $show kernel.co
[ "$(cat kernel.co)" = "code of 0" ] || fail "a code object takes the place of another"
touch empty.fsc
expect 0 $export empty.fsc
expect 0 $export empty.fsc
expect 0 "$cache" verify empty.fsc
expect 2 $export ''
err_has "the name of the file for fsattn.fsc is empty"
expect 2 $sign ''
err_has "the name of the cache file is empty"

ln -s round ring
ln -s ring round
expect 2 $export ring/out.fsc
err_has "the name of the cache file is too long, or its links go round: ring"
expect 2 $export "$(printf 'a/%.0s' $(seq 2100))out.fsc"
err_has "the name of the cache file is too long"
expect 2 "$cache" export text.out --store own.db --text
err_has "--text prints, and text.out would not be written"

# ---- what the command itself keeps, by any name, and whether or not it is there
ln own.db second.db
ln -s . here
for file in own.db folder/../own.db here/own.db "$work/own.db" second.db; do
    refused own.db "$file is the store" $export "$file"
    refused own.db "--cache: $file is the store" tune --store own.db --cache "$file"
    refused own.db "--code: $file is the store" "$cache" show "$key" --file own.db --code "$file"
done
refused data/fsattn/tune.db "is the store" "$cache" export data/fsattn/tune.db
refused me.key "me.key is the key" $export me.key --sign me.key
refused me.key "--output: here/me.key is the key" $sign here/me.key
refused a.fsc "--code: a.fsc is the cache file" $show a.fsc
refused toy/toy.yaml "--cache: toy/toy.yaml is the space" $publish toy/toy.yaml
for file in ./new.db folder/../new.db here/new.db there/../new.db; do
    refused new.db "--cache: $file is the store" $publish "$file"
done
for pair in -wal:log '-shm:shared memory' -journal:journal '.lock:lock file'; do
    refused "own.db${pair%%:*}" "own.db${pair%%:*} is the ${pair#*:} of the store" $export "own.db${pair%%:*}"
    refused "new.db${pair%%:*}" "--cache: new.db${pair%%:*} is the ${pair#*:} of the store" $publish "new.db${pair%%:*}"
    refused "foreign.db${pair%%:*}" "is by its name what a database keeps beside itself: $work/foreign.db" $export "foreign.db${pair%%:*}"
done
[ -z "$(find . -name 'new.db*')" ] || fail "the search began"

# ---- a name is a file's name, whatever SQLite makes of it
mkdir names
cd names
for name in ':memory:' 'file:foo.db' 'file:foo.db?mode=memory'; do
    "$make_store" "$name" '0@1000'
    [ -s "$name" ] || fail "no file of that name: $name"
    expect 0 "$cache" list "$name"
    out_has "^1 results for 1 problems$"
done
[ -z "$(find . -name 'foo.db*')" ] || fail "SQLite read the name"
expect 2 "$cache" gc --store ''
err_has "the name of the file for tune.db is empty"
[ ! -e .lock ] || fail "a lock without a store"
cd ..

# ---- a disk that is too small for what SQLite keeps beside a store
mkdir small
if unshare -rm mount -t tmpfs -o size=64k none small 2>/dev/null; then
    expect 4 unshare -rm bash -c "mount -t tmpfs -o size=64k none small && '$cache' import a.fsc --store small/t.db"
    err_has "small/t.db: cannot be .*: database or disk is full"
    err_has "make room on its disk"
fi

# ---- what is only asked for is not made
mkdir nothing
cd nothing
expect 3 "$cache" gc --store nope
err_has "nope: there is no such store"
: >empty
for from in nope .. ../notes.txt ../foreign.db empty; do
    status=0
    "$cache" merge "$from" --store made.db >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq 2 ] || [ "$status" -eq 3 ] || fail "exit $status: merge $from"
done
for command in list "gc --store" t4; do
    expect 3 "$cache" $command empty
    err_has "empty: is empty: there is no store in it"
done
cp ../foreign.db foreign.db
for command in list "gc --store" "merge ../own.db --store"; do
    expect 2 "$cache" $command foreign.db
    err_has "foreign.db: is another program's database"
done
[ "$(find . -type f | sort | xargs)" = "./empty ./foreign.db" ] || fail "something was made: $(find .)"
echo passed
