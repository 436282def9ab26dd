# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# lib.sh - a model, a mount and a clean end for the scripts beside it.
#
# A script sources it first. It is then in a temporary folder of its own, with these:
#   ggfs      the program          mkmodel   the writer of test models
#   mnt       a mount point        cache     the value of -o cache= in this run
# Every script runs twice, with cache=auto and cache=kernel, unless $GGFS_TEST_CACHE names one.

set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir}"
: "${PYTHON:=/usr/bin/python3}"
export top_srcdir top_builddir PYTHON
ggfs=${GGFS:-$top_builddir/ggfs}
mkmodel=${MKMODEL:-$top_builddir/tests/lib/mkmodel}

# A server in its sandbox cannot be looked into for leaks: leaks.sh does without.
if [ -n "${GGFS_SANITIZED:-}" ]; then
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export ASAN_OPTIONS
fi

skip() {
    echo "skipped: $*"
    exit 77
}

if ! { [ -c /dev/fuse ] && (: <>/dev/fuse) 2>/dev/null; }; then
    [ -z "${GGFS_REQUIRE_FUSE:-}" ] || { echo "/dev/fuse is not usable"; exit 1; }
    skip "/dev/fuse is not usable"
fi

if [ -z "${GGFS_TEST_CACHE:-}" ]; then
    for GGFS_TEST_CACHE in auto kernel; do
        export GGFS_TEST_CACHE
        echo "== cache=$GGFS_TEST_CACHE"
        # A mount that answers nothing would hold everybody up.
        timeout -k 10 "${GGFS_TEST_SECONDS:-900}" sh "$0" "$@" || exit
    done
    exit 0
fi
cache=$GGFS_TEST_CACHE

tmp=$(mktemp -d) || exit 1
tmp=$(cd "$tmp" && pwd -P)
mnt=$tmp/mnt
pids=
failed=0

# Lazily, so that a failed test cannot leave anything behind.
clean_up() {
    status=$?
    trap '' EXIT INT TERM HUP
    cd /
    while read -r _ place type _; do
        case $type:$place in
        fuse.ggfs:"$tmp"/*) umount -l "$place" ;;
        esac
    done </proc/self/mounts
    for pid in $pids; do
        kill "$pid" 2>/dev/null
    done
    rm -rf "$tmp"
    exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
cd "$tmp" || exit 1
mkdir "$mnt"

# complain SENTENCE - the test goes on, and fails in the end.
complain() {
    echo "FAILED: $*"
    failed=1
}

# die SENTENCE - where going on makes no sense.
die() {
    echo "FAILED: $*"
    exit 1
}

# same WHAT WANTED GOT
same() {
    [ "$2" = "$3" ] || complain "$1: wanted '$2', got '$3'"
}

# works COMMAND... - with status 0.
works() {
    "$@" || complain "status $?: $*"
}

# refuses WORDS COMMAND... - with a status other than 0 and these words on stderr.
refuses() {
    words=$1
    shift
    if "$@" >/dev/null 2>"$tmp/refusal"; then
        complain "no failure: $*"
    elif ! grep -q "$words" "$tmp/refusal"; then
        complain "wanted '$words': $*: $(cat "$tmp/refusal")"
    fi
}

# is_mounted PLACE
is_mounted() {
    grep -q " $1 fuse.ggfs " /proc/self/mounts
}

# eventually COMMAND... - true within ten seconds.
eventually() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 500 ] || return 1
        sleep 0.02
    done
}

# model KIND[=N] [FILE] - makes FILE, or KIND.gguf, here.
model() {
    "$mkmodel" "$1" "${2:-${1%%=*}.gguf}" || die "cannot make the model $1"
}

# serve MODEL [OPTION...] - in the foreground, at $mnt; $pid is the process, its stderr in `log`.
serve() {
    file=$1
    shift
    "$ggfs" -f -o "cache=$cache" "$@" "$file" "$mnt" 2>"$tmp/log" &
    pid=$!
    pids="$pids $pid"
    eventually is_mounted_or_gone || die "not mounted after ten seconds"
    is_mounted "$mnt" || die "cannot mount: $(cat "$tmp/log")"
}

# is_alive PID - which a process that waits to be waited for is not.
is_alive() {
    grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null
}

find_child() {
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        case ${line##*) } in
        [!Z]" $1 "*) echo "${line%% *}" ;;
        esac
    done >"$tmp/child"
    [ -s "$tmp/child" ]
}

# child_of PID - the server of a caretaker, which comes a little later than the mount.
child_of() {
    eventually find_child "$1"
    cat "$tmp/child"
}

find_server() {
    find_child "$1" || return 1
    while read -r child; do
        line=
        { read -r line <"/proc/$child/comm"; } 2>/dev/null
        [ "$line" != ggfs-server ] || echo "$child"
    done <"$tmp/child" >"$tmp/server"
    [ -s "$tmp/server" ]
}

# server_of PID - the same where the caretaker has other children too.
server_of() {
    eventually find_server "$1"
    cat "$tmp/server"
}

# caretaker_of PLACE - of a mount in the background.
caretaker_of() {
    for comm in /proc/[0-9]*/comm; do
        line=
        { read -r line <"$comm"; } 2>/dev/null
        [ "$line" = ggfs ] || continue
        tr '\0' ' ' <"${comm%/*}/cmdline" | grep -q " $1 " || continue
        comm=${comm%/*}
        echo "${comm##*/}"
    done
}

# is_dead PID - the opposite, and is_gone PLACE, for eventually.
is_dead() {
    ! is_alive "$1"
}

is_gone() {
    ! is_mounted "$1"
}

is_mounted_or_gone() {
    is_mounted "$mnt" || ! is_alive "$pid"
}

# ended STATUS - the served mount ends by itself now, with this status and nothing said.
ended() {
    wait "$pid"
    same "exit status" "$1" $?
    [ ! -s "$tmp/log" ] || complain "said: $(cat "$tmp/log")"
    is_mounted "$mnt" && complain "still mounted"
}

# leave - unmounts what serve has mounted.
leave() {
    works umount "$mnt"
    ended 0
}

# finish - the last line of every script.
finish() {
    exit $failed
}

need_numpy() {
    "$PYTHON" -c 'import numpy' 2>/dev/null || skip "no Python with NumPy"
}

# field NAME FIELD - from tensors.json of the mount, which is one line for each tensor when cut so.
field() {
    sed 's/{"name"/\n&/g' "$mnt/tensors.json" | grep "^{\"name\":\"$1\"" |
        sed "s/.*\"$2\":\"*\([^\",}]*\).*/\1/"
}
