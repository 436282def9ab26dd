#!/bin/sh
# SPDX-License-Identifier: MIT
# truncate.sh - a small model cut after every byte of it, by --check and by mounting.
. "$top_srcdir/tests/samples/lib.sh"
need_samples hostile
need_fuse

base=$GGFS_SAMPLES/hostile/base-small.gguf
held=0 total=0 named=0
while IFS=$(printf '\t') read -r bytes field expect rest; do
    [ "$bytes" != bytes ] || continue
    total=$((total + 1))
    head -c "$bytes" "$base" >"$work/cut.gguf"
    "$ggfs" "$work/cut.gguf" "$mnt" 2>"$work/err"
    code=$?
    case $expect,$code in
    refuse,32) good=yes ;;
    either,32 | either,0 | mount*,0) good=yes ;;
    *) good=no ;;
    esac
    if [ "$expect" = refuse ] && grep -qF ": $field: " "$work/err"; then
        named=$((named + 1))
    fi
    if [ "$code" -eq 0 ] && ! find "$mnt" -type f -exec cat {} + >/dev/null 2>"$work/read"; then
        grep -qv 'Input/output error' "$work/read" && good=no
    fi
    unmount
    if [ "$good" = yes ]; then
        held=$((held + 1))
    else
        echo "$bytes bytes ($expect, $field): status $code, $(cat "$work/err")"
    fi
done <"$GGFS_SAMPLES/hostile/truncate.tsv"
echo "the field as in the table: $named"
echo "rows held $held of $total"
[ "$held" -eq "$total" ]
