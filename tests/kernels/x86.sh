#!/bin/sh
# SPDX-License-Identifier: MIT
# x86.sh - checkkern on an x86-64 without AVX, and on one with AVX2 where this one has none.
checkkern=${top_builddir:-.}/checkkern
vectors=${top_srcdir:-.}/tests/vectors/kernels.tsv

command -v qemu-x86_64 >/dev/null || { echo "no qemu-x86_64"; exit 77; }
[ -z "${GGFS_SANITIZED:-}" ] || { echo "no room for a sanitizer under qemu"; exit 77; }
case $(uname -m) in x86_64) ;; *) echo "not an x86-64"; exit 77 ;; esac
qemu-x86_64 -cpu Nehalem "$checkkern" --file="$vectors" --vectors="$GGFS_VECTORS" || exit 1
grep -qw avx2 /proc/cpuinfo ||
    qemu-x86_64 -cpu max "$checkkern" --set=avx2 --file="$vectors" --vectors="$GGFS_VECTORS"
