#!/bin/sh
# SPDX-License-Identifier: MIT
# replay.sh - what fuzzing has found before, and what is close to small models and names.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
fuzz=$top_builddir/tests/fuzz
corpus=$top_srcdir/tests/fuzz/corpus
mkdir "$work/models" "$work/names"

"$top_builddir/tests/lib/mkmodel" --list | cut -f1 | tail -n +2 |
    while read -r kind; do
        case $kind in
        big | large | vocab) ;;
        *) "$top_builddir/tests/lib/mkmodel" "$kind" "$work/models/$kind" || exit 1 ;;
        esac
    done || exit 1

# A suffix, a repeat, and a name.
# shellcheck disable=SC2059
name() { printf "$@" >"$work/names/$(find "$work/names" -type f | wc -l)"; }
name '\001\000w.weight'
name '\000\001%%'
name '\002\002..'
name '\003\000'
name '\001\377%%~2'
name '\001\003a/b%%2Fc\000d'
name '\001\001%0253d' 7
name '\001\001%0236d/%%~0123456789abcdef' 7
name '\002\000%0232d\303\244\303\244/\360\237\246\231' 7

if "$fuzz/fuzz_names" -help=1 2>&1 | grep -q max_total_time; then
    "$fuzz/fuzz_model" -runs=0 "$corpus/model" "$work/models" || exit 1
    "$fuzz/fuzz_names" -runs=0 "$corpus/names" "$work/names" || exit 1
    exit 0
fi
"$fuzz/fuzz_model" "$corpus/model" --near "$work/models" || exit 1
"$fuzz/fuzz_names" "$corpus/names" --near "$work/names"
