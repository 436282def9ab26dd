#!/bin/sh
# SPDX-License-Identifier: MIT
# static.sh - cppcheck over src.
cd "$top_srcdir" || exit 99
command -v cppcheck >/dev/null || exit 77
# memleak: it takes a block that realloc could not shrink for lost; the sanitizers look for leaks.
exec cppcheck -q --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
    --suppress=memleak --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective -j2 \
    -DGGFS_VERSION='"0"' -D__x86_64__ -Isrc src
