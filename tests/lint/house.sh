#!/bin/sh
# SPDX-License-Identifier: MIT
# house.sh - the rules of the house that a program can see: who includes whom, headers that stand
# alone, names of symbols, what belongs in one folder only.
cd "$top_srcdir" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0

complain() {
    echo "$1"
    status=1
}

sources() { find "$@" -name '*.[ch]' -o -name '*.def' | sort; }

# may FOLDER ALLOWED…: what its files include, beside themselves.
may() {
    folder=$1
    shift
    allowed="^($folder/"
    for other in "$@"; do allowed="$allowed|$other"; done
    # shellcheck disable=SC2046
    grep -Eo '^ *# *include "[^"]+"' $(sources "src/$folder") /dev/null |
        sed 's/: *# *include "/ /; s/"$//' |
        while read -r file header; do
            echo "$header" | grep -Eq "$allowed)" || echo "$file includes $header"
        done
}

{
    may base
    may kernels
    may model base/ kernels/types\\.
    may formats base/ model/ kernels/types\\.
    may decode base/ model/ kernels/
    may check base/ model/ decode/ kernels/types\\.
    may tree base/ model/ decode/ kernels/types\\.
    may fuse base/ kernels/ model/model\\.h model/source\\.h formats/format\\.h decode/decode\\.h \
        check/check\\.h tree/tree\\.h
} >"$work/includes"
if [ -s "$work/includes" ]; then
    complain "--- includes that the house does not have"
    cat "$work/includes"
fi

# only WHERE PATTERN WHAT: nowhere else in src.
only() {
    # shellcheck disable=SC2046
    found=$(grep -nE "$2" $(sources src) /dev/null | grep -vE "^src/($1)")
    [ -z "$found" ] || complain "--- $3 outside of $1
$found"
}
only 'fuse/' '# *include <fuse' "FUSE"
only 'kernels/' '# *include <(immintrin|x86intrin|arm_neon|cpuid)' "intrinsics"
only 'fuse/main\.c' '(^|[^_a-z])(abort|exit|_exit) *\(' "an end of the process"
only 'fuse/|base/log' '(^|[^_a-z])(v?printf|v?fprintf|puts|fputs|perror) *\(' "printing"
only 'base/mem\.|kernels/|formats/|fuse/' '(^|[^_a-z.>])(malloc|calloc|realloc|strdup|alloca|asprintf) *\(' "memory"
only 'fuse/check_cmd|formats/|check/' 'cJSON' "cJSON"
only 'none' '__attribute__.*packed|\bmmap *\(' "packed structs or mappings of the model"

flags=$(pkg-config --cflags fuse3 libcjson)
# A *_tmpl.h is a body that its includer gives names to.
for header in $(find src -name '*.h' ! -name '*_tmpl.h' | sort); do
    compiler=${CC:-cc} set_flags=
    case $header in
    src/kernels/x86/*) set_flags="-mfma -mf16c -mavx512f -mavx512bw -mavx512dq -mavx512vl" ;;
    src/kernels/arm/*) compiler=aarch64-linux-gnu-gcc ;;
    esac
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    echo "#include \"${header#src/}\"" |
        $compiler -std=c11 -D_GNU_SOURCE -DFUSE_USE_VERSION=312 -fsyntax-only -Wall -Werror \
            $flags $set_flags -Isrc -xc - 2>"$work/alone" || {
        complain "--- $header does not compile alone"
        head -n 5 "$work/alone"
    }
    if grep -q 'config\.h' "$header"; then complain "$header includes config.h"; fi
done

for file in $(sources src tests); do
    case $(sed -n 1p "$file") in
    "/* SPDX-License-Identifier: MIT */") ;;
    *) complain "$file:1: no licence tag" ;;
    esac
    case $(sed -n 2p "$file") in
    "/* ${file##*/} - "*) ;;
    *) complain "$file:2: does not say what the file owns" ;;
    esac
    case $file in
    *.c)
        [ "$(grep -m1 '^#include' "$file")" = '#include <config.h>' ] ||
            complain "$file: config.h is not included first"
        ;;
    esac
    awk -v file="$file" '
        /\t/ { print file ":" FNR ": a tab" }
        / $/ { print file ":" FNR ": a blank at the end" }
        { gsub(/[\200-\277]/, "") } length > 100 { print file ":" FNR ": over 100 columns" }
    ' "$file" >"$work/lines"
    if [ -s "$work/lines" ]; then
        status=1
        cat "$work/lines"
    fi
done

# Sanitizers and coverage bring symbols of their own.
for library in "$top_builddir"/lib*.a; do
    [ -f "$library" ] || continue
    nm -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' |
        grep -vE '^(ggfs_|_*(asan|odr_asan|ubsan|tsan|sanitizer|sancov|llvm|gcov)|\.L)' |
        sort -u >"$work/symbols"
    if [ -s "$work/symbols" ]; then
        complain "--- symbols of ${library##*/} without ggfs_"
        cat "$work/symbols"
    fi
done

# Paths that exist on one machine only.
if command -v git >/dev/null && git rev-parse --git-dir >/dev/null 2>&1; then
    found=$(git grep -nIE '(^|[^a-z.])/(home|root|wor[k]|far[m])/' -- . ':!tests/lint')
    [ -z "$found" ] || complain "--- paths of one machine
$found"
fi
exit "$status"
