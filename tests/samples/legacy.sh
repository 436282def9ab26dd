#!/bin/sh
# SPDX-License-Identifier: MIT
# legacy.sh - every handed file from before GGUF through a real mount against its manifests.
. "$top_srcdir/tests/samples/lib.sh"
need_samples legacy
need_fuse
[ -n "$PYTHON" ] || skip "no Python with NumPy"

samples=$GGFS_SAMPLES/legacy
status=0
: >"$work/rows"

# hold NAME FILE [OPTION]: the rows of NAME in the tables against a mount of FILE.
hold() {
    if ! "$ggfs" ${3:+"$3"} "$samples/$2" "$mnt"; then
        echo "$1: does not mount"
        printf '%s\n' "$1" >>"$work/refused"
        status=1
        return
    fi
    "$PYTHON" "$top_srcdir/tests/samples/legacy.py" "$samples" "$1" "$mnt" >"$work/counts" \
        2>"$work/faults" || status=1
    head -n 20 "$work/faults"
    cat "$work/counts" >>"$work/rows"
    unmount
}

files=0
sed 1d "$samples/headers.tsv" | cut -f1 >"$work/files"
while read -r file; do
    files=$((files + 1))
    hold "$file" "$file" -onosplit
done <"$work/files"
sed 1d "$samples/manifest.tsv" | cut -f1 | grep '#joined' | sort -u >"$work/joined"
while read -r name; do
    hold "$name" "${name%#joined}"
done <"$work/joined"

sort "$work/rows" | awk -F'\t' '
    { key = $1 "\t" $2 "\t" $3; held[key] += $4; total[key] += $5 }
    END { for (key in held) print key "\t" held[key] " of " total[key] }' | sort
awk -F'\t' -v files="$files" '
    { held += $4; total += $5 } $3 == "headers" { recognised += $4 }
    END { print "files recognised " recognised + 0 " of " files
          print "rows held " held + 0 " of " total + 0
          exit held != total || recognised != files }' "$work/rows" || status=1
exit "$status"
