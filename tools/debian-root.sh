# A private root: programs and libraries from Debian packages that are newer than the system's, unpacked into a folder, without
# touching the system. Nothing in it can be loaded into a Debian 12 process (its glibc is newer): its programs start with its own
# loader. What was built here loads into them, and what the root lacks comes from the system. Sourced by tools/NAME, which sets
#
#   name      of the root, and of the tool in messages
#   variable  of the environment that names its folder; without it, NAME in the user's cache folder (XDG)
#   packages  what it has; what they need comes along
#   suites    of Debian
#   pins      apt's preferences among these, or nothing
#   size      what is said before the download
#   instead   what works without the root, or nothing
#   folders   of libraries, in the root
#
# may define finish FOLDER, which completes what was unpacked, and calls root_main "$@". Commands are those of tools/rocm-root.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lock=$tools/$name.lock
root=${!variable:-${XDG_CACHE_HOME:-$HOME/.cache}/fsattn/$name}
loader=usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2

fail() {
    echo "tools/$name: $*" >&2
    exit 1
}

complete() {
    [ -f "$root/packages.tsv" ]
}

expect_complete() {
    complete || fail "$root is not there; build it: tools/$name"
}

library_path() {
    local IFS=:
    echo "${folders[*]/#/$1/}"
}

# Prints name, version and SHA-256 of every package file, sorted: what the lock holds.
list_packages() {
    local file
    for file in "$1"/*.deb; do
        printf '%s\t%s\t%s\n' "$(dpkg-deb -f "$file" Package)" "$(dpkg-deb -f "$file" Version)" \
            "$(sha256sum "$file" | cut -d' ' -f1)"
    done | LC_ALL=C sort
}

check() {
    [ -f "$lock" ] || fail "there is no $(basename "$lock") to compare with"
    if ! diff -u "$lock" "$root/packages.tsv" >"$root/difference" 2>&1; then
        echo "tools/$name: warning: the root differs from $(basename "$lock") (- recorded, + here):" >&2
        grep '^[-+][^-+]' "$root/difference" >&2 || true
    fi
}

finish() {
    :
}

build() {
    command -v apt-get >/dev/null || fail "needs apt-get (Debian)${instead:+; $instead}"
    local work=$root.building uri suite
    # The mirror that this machine already uses for Debian.
    uri=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n 's/^Debian //p' | grep -v security | head -n 1)
    [ -n "$uri" ] || fail "no Debian mirror among this machine's apt sources; run apt-get update first"
    rm -rf "$work"
    mkdir -p "$work"/{state/lists/partial,cache/archives/partial,etc,new}
    : >"$work/etc/status"
    for suite in "${suites[@]}"; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
    done >"$work/etc/sources.list"
    printf '%s\n' "$pins" >"$work/etc/preferences"
    local options=(
        -o "Dir::State=$work/state" -o "Dir::State::status=$work/etc/status" -o "Dir::Cache=$work/cache"
        -o "Dir::Etc::sourcelist=$work/etc/sources.list" -o "Dir::Etc::sourceparts=/dev/null"
        -o "Dir::Etc::preferences=$work/etc/preferences" -o "Dir::Etc::preferencesparts=/dev/null"
        -o "Acquire::Check-Valid-Until=false" -o "Acquire::Languages=none" -o "APT::Sandbox::User=root"
        -o "APT::Architecture=amd64" -o "APT::Install-Recommends=false" -o "Debug::NoLocking=true"
        -o "APT::Keep-Downloaded-Packages=true" -o "Binary::apt-get::APT::Keep-Downloaded-Packages=true"
        -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" -o "APT::Update::Post-Invoke-Success::="
    )
    echo "tools/$name: reading the package lists of ${suites[*]}" >&2
    apt-get "${options[@]}" -qq update || fail "no network, or the mirror refused${instead:+; $instead}"
    echo "tools/$name: downloading ${packages[*]} and what they need ($size)" >&2
    apt-get "${options[@]}" -qq -y --download-only install "${packages[@]}" >/dev/null ||
        fail "download failed; run it again"
    local file
    for file in "$work"/cache/archives/*.deb; do
        dpkg-deb -x "$file" "$work/new"
    done
    finish "$work/new"
    list_packages "$work/cache/archives" >"$work/new/packages.tsv"
    rm -rf "$root"
    mkdir -p "$(dirname "$root")"
    mv "$work/new" "$root"
    rm -rf "$work"
}

root_main() {
    case ${1:-} in
    --path)
        echo "$root"
        complete || exit 1
        ;;
    --check)
        expect_complete
        check
        ;;
    --lock)
        expect_complete
        cp "$root/packages.tsv" "$lock"
        ;;
    --run)
        expect_complete
        shift
        [ $# -gt 0 ] || fail "--run needs a program"
        exec "$root/$loader" --library-path "$(library_path "$root")" "$@"
        ;;
    "")
        exec 9>"$(mkdir -p "$(dirname "$root")" && echo "$root.lock")"
        flock 9
        complete || build
        [ ! -f "$lock" ] || check
        echo "$root"
        ;;
    *)
        fail "unknown argument '$1'; see the head of this file"
        ;;
    esac
}
