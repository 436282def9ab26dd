# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# lib.sh - the program, a temporary folder, and what a command did.

set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir}"
: "${PYTHON:=/usr/bin/python3}"
ggfs=${GGFS:-$top_builddir/ggfs}
mkmodel=${MKMODEL:-$top_builddir/tests/lib/mkmodel}
failed=0

tmp=$(mktemp -d) || exit 1
trap 'cd /; rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
cd "$tmp" || exit 1

complain() {
    echo "FAILED: $*"
    failed=1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# same WHAT WANTED GOT
same() {
    [ "$2" = "$3" ] || complain "$1: wanted '$2', got '$3'"
}

model() {
    "$mkmodel" "$1" "${2:-${1%%=*}.gguf}" || { complain "cannot make $1"; exit 1; }
}

# run STATUS ARGUMENT... - ggfs with these; what it said is in the files out and error.
run() {
    wanted=$1
    shift
    "$ggfs" "$@" >out 2>error </dev/null
    same "status of ggfs $*" "$wanted" $?
}

# sentence STATUS WORDS ARGUMENT... - nothing on stdout, one sentence with these words on stderr.
sentence() {
    words=$2
    wanted=$1
    shift 2
    run "$wanted" "$@"
    same "lines of ggfs $*" "0 1" "$(wc -l <out) $(wc -l <error)"
    grep -q "^ggfs: .*$words" error || complain "ggfs $*: wanted '$words': $(cat error)"
}

finish() {
    exit $failed
}
