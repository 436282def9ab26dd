#!/bin/sh
# SPDX-License-Identifier: MIT
# hostile.sh - every row of a cases.tsv: outcome, offset, field, memory, time, no stale mount.
. "$top_srcdir/tests/samples/lib.sh"
need_fuse

# What our own writer makes, then what was handed to us.
"$top_builddir/tests/lib/mkmodel" --list | awk -F'\t' 'NR > 1 && $1 != "big"' >"$work/own.tsv"
mkdir "$work/own"
while IFS=$(printf '\t') read -r name rest; do
    "$top_builddir/tests/lib/mkmodel" "$name" "$work/own/$name" || exit 1
done <"$work/own.tsv"

# limit EXPECT COMMAND…: in 2 GiB of address space; a refusal in a second of CPU time (the clock on
# the wall would measure what else the machine does). A sanitizer's shadow fits into neither.
limit() {
    expected=$1
    shift
    # shellcheck disable=SC3045
    if [ -z "$GGFS_SANITIZED" ]; then
        ulimit -v 2097152
        [ "$expected" != refuse ] || ulimit -t 1
    fi
    "$@"
}

# Reads all that can be read; what is marked may end in EIO.
read_all() {
    timeout 20 find "$mnt" -type f -exec cat {} + >/dev/null 2>"$work/read"
    ! grep -qv 'Input/output error' "$work/read"
}

# refused FILE OFFSET FIELD EXPECT: one line that names the file, the offset and the field.
refused() {
    [ "$code" -eq 32 ] || { why="status $code"; return 1; }
    [ "$(wc -l <"$work/err")" -eq 1 ] || { why="not one line: $(cat "$work/err")"; return 1; }
    case $(cat "$work/err") in "ggfs: "*"$1"*) ;; *) why="does not name the file"; return 1 ;; esac
    # Sentences about a file as a whole have neither offset nor field.
    [ "$3" = magic ] && [ "$4" = refuse ] && return 0
    [ "$4" = either ] && return 0
    case $(cat "$work/err") in
    *": offset $(printf '0x%x' "$2"): $3: "*) return 0 ;;
    esac
    why="says: $(cat "$work/err")"
    return 1
}

# case_holds FOLDER FILE EXPECT OFFSET FIELD
case_holds() {
    (limit "$3" timeout 10 "$ggfs" "$1/$2" "$mnt") >"$work/out" 2>"$work/err"
    code=$?
    mounted=no
    grep -qs " $mnt fuse" /proc/self/mounts && mounted=yes
    if [ "$code" -ne 0 ]; then
        [ "$mounted" = no ] || { why="refused, but mounted"; return 1; }
        case $3 in refuse | either) refused "$2" "$4" "$5" "$3" ;; *) why="refused: $(cat "$work/err")"; false ;; esac
        return
    fi
    [ "$mounted" = yes ] || { why="status 0, but not mounted"; return 1; }
    [ "$3" != refuse ] || { why="mounted"; return 1; }
    read_all || { why="reading: $(head -n 2 "$work/read")"; return 1; }
    ls "$mnt" >/dev/null || { why="gone after reading"; return 1; }
}

held=0 total=0
# rows FOLDER: cases from stdin
rows() {
    while IFS=$(printf '\t') read -r name expect offset field; do
        total=$((total + 1))
        why=
        if case_holds "$1" "$name" "$expect" "$offset" "$field"; then
            held=$((held + 1))
        else
            echo "$name ($expect): $why"
        fi
        unmount
    done <"$work/cases"
}

cut -f1-4 "$work/own.tsv" >"$work/cases"
rows "$work/own"
if [ -n "$GGFS_SAMPLES" ] && [ -f "$GGFS_SAMPLES/hostile/cases.tsv" ]; then
    cut -f1,4-6 "$GGFS_SAMPLES/hostile/cases.tsv" | tail -n +2 >"$work/cases"
    rows "$GGFS_SAMPLES/hostile"
fi
echo "rows held $held of $total"
[ "$held" -eq "$total" ]
