#!/bin/sh
# SPDX-License-Identifier: MIT
# table.sh - docs/kernels.txt is what types.def and the kernel files say; --print writes it anew.
srcdir=${top_srcdir:-.}
kernels=$srcdir/src/kernels

table() {
    echo 'Tensor types that ggfs decodes, and the sets that have a function for each: checkkern --bench'
    echo 'tells what they are worth. Made by tests/kernels/table.sh --print from src/kernels.'
    echo
    awk -F'[(, )"]+' '
        FILENAME ~ /types\.def$/ {
            if (/^T\(/) {
                id = row[++rows] = $2
                name[id] = $3; values[id] = $4; bytes[id] = $5; plain[id] = $(NF - 1)
            }
            next
        }
        /^L\(/ { has["scalar " $2] = 1 }
        match($0, /\[GGFS_TYPE_[A-Z0-9_]+\] = /) {
            has[set(FILENAME) " " substr($0, RSTART + 11, RLENGTH - 15)] = 1
        }
        function set(file) { sub(/.*\//, "", file); sub(/\.c$/, "", file); return file }
        END {
            n = split("scalar avx2 avx512 vbmi neon", sets, " ")
            printf "%-11s %6s %5s", "type", "values", "bytes"
            for (i = 1; i <= n; i++) printf " %-6s", sets[i]
            printf " %s\n", "unwoven"
            for (r = 1; r <= rows; r++) {
                id = row[r]
                printf "%-11s %6d %5d", name[id], values[id], bytes[id]
                for (i = 1; i <= n; i++)
                    printf " %-6s", (sets[i] " " plain[id]) in has ? "yes" : "-"
                printf " %s\n", plain[id] == id ? "-" : name[plain[id]]
            }
        }' "$kernels/types.def" "$kernels"/scalar*.def "$kernels"/scalar*.c "$kernels"/x86/*.c \
        "$kernels"/arm/*.c | sed 's/ *$//'
}

case $1 in
--print) table >"$srcdir/docs/kernels.txt" ;;
*) table | diff "$srcdir/docs/kernels.txt" - ;;
esac
