#!/bin/sh
# SPDX-License-Identifier: MIT
# size.sh - lines of code and lengths of functions; none may pass 80 lines without a word why.
cd "$top_srcdir" || exit 99
find src -name '*.c' -o -name '*.h' -o -name '*.def' | sort | xargs cat | wc -l |
    sed 's/^ */lines in src: /'
# shellcheck disable=SC2016
find src -name '*.c' -o -name '*_tmpl.h' | sort | xargs awk '
    /^[a-z].*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^\{/ { start = FNR }
    /^\}/ && start { print FNR - start - 1, FILENAME, name; start = 0 }
' | sort -n >"${TMPDIR:-/tmp}/ggfs-size.$$"
trap 'rm -f "${TMPDIR:-/tmp}/ggfs-size.$$"' EXIT
awk '{ lines[NR] = $1 } END {
    for (i = 1; i <= NR; i++) { short += lines[i] < 12; long += lines[i] > 40 }
    printf "functions: %d, median %d lines, under 12: %d, over 40: %d\n", NR,
        lines[int((NR + 1) / 2)], short, long
}' "${TMPDIR:-/tmp}/ggfs-size.$$"
echo "longest:"
tail -n 5 "${TMPDIR:-/tmp}/ggfs-size.$$"
! awk '$1 > 80' "${TMPDIR:-/tmp}/ggfs-size.$$" | grep .
