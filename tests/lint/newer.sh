#!/bin/sh
# SPDX-License-Identifier: MIT
# newer.sh - the other side of the code that depends on libfuse's version compiles too.
cd "$top_srcdir" || exit 99
status=0
config=$(cd "$top_builddir" && pwd)
# What tells 3.17 apart from those before.
for flag in -DFUSE_CAP_DIRECT_IO_ALLOW_MMAP='(1 << 28)' -UFUSE_CAP_DIRECT_IO_ALLOW_MMAP; do
    for file in src/fuse/*.c; do
        # shellcheck disable=SC2046
        ${CC:-cc} -std=c11 -fsyntax-only -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror \
            -DHAVE_CONFIG_H "$flag" -I"$config" -Isrc $(pkg-config --cflags fuse3 libcjson) "$file" ||
            status=1
    done
done
exit "$status"
