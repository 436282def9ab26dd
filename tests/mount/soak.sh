#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh - eight readers do everything at once for a while: right bytes, and memory that stays.
#
#   GGFS_SOAK_SECONDS, GGFS_SOAK_OPERATIONS   for so long and for so many at least (2, 1100)
GGFS_TEST_SECONDS=$((${GGFS_SOAK_SECONDS:-2} + 1800))
export GGFS_TEST_SECONDS
. "$(dirname "$0")/lib.sh"

soak=$top_builddir/tests/lib/soak
[ -x "$soak" ] || skip "no soak"
model large
serve large.gguf
works "$soak" "$mnt" "${GGFS_SOAK_SECONDS:-2}" "${GGFS_SOAK_OPERATIONS:-1100}" \
    "$pid" "$(child_of "$pid")" >figures
cat figures
# The sanitizers keep what is given back.
[ -n "${GGFS_SANITIZED:-}" ] || awk '{ kb[NR] = $(NF - 1) } END { exit kb[2] > kb[1] + 2048 }' figures ||
    complain "memory grows"
leave

finish
