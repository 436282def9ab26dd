#!/bin/sh
# SPDX-License-Identifier: MIT
# checkkern.sh - every kernel of this CPU against the vectors and the scalar one.
exec "${top_builddir:-.}/checkkern" --file="${top_srcdir:-.}/tests/vectors/kernels.tsv" \
    --vectors="$GGFS_VECTORS"
