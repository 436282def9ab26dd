#!/bin/sh
# SPDX-License-Identifier: MIT
# neon.sh - the kernels of AArch64, compiled for it and run under qemu where both are installed.
srcdir=${top_srcdir:-.}
CROSS_CC=${CROSS_CC:-aarch64-linux-gnu-gcc}

for tool in "$CROSS_CC" qemu-aarch64; do
    command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
: >"$dir/config.h"
"$CROSS_CC" -std=gnu11 -O2 -static -ffp-contract=off -I"$dir" -I"$srcdir/src" \
    -I"$srcdir/tests/kernels" "$srcdir"/src/kernels/*.c "$srcdir"/src/kernels/arm/*.c \
    "$srcdir"/tests/kernels/*.c -lm -o "$dir/checkkern" || exit 1
qemu-aarch64 "$dir/checkkern" --file="$srcdir/tests/vectors/kernels.tsv" --vectors="$GGFS_VECTORS"
