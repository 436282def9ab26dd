#!/bin/sh
# SPDX-License-Identifier: MIT
# limits.sh - too few descriptors are status 2 with a sentence; what is mounted serves.
. "$(dirname "$0")/lib.sh"

[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers need descriptors of their own"
if ! { [ -c /dev/fuse ] && (: <>/dev/fuse) 2>/dev/null; }; then
    skip "/dev/fuse is not usable"
fi
model sample
mkdir mnt
served=0
for most in 4 5 6 7 8 9 10 11 12 16 20; do
    # shellcheck disable=SC3045 # dash has it
    (ulimit -n $most && exec "$ggfs" sample.gguf mnt) >out 2>error
    status=$?
    case $status in
    0)
        same "the format with $most descriptors" "GGUF 3 little-endian" "$(cat mnt/format)"
        umount mnt || complain "cannot unmount"
        served=$((served + 1))
        ;;
    2) grep -q '^ggfs: .*Too many open files' error || complain "$most: $(cat error)" ;;
    127) ;; # the loader had too few
    *) complain "status $status with $most descriptors: $(cat error)" ;;
    esac
done
[ $served -gt 0 ] || complain "20 descriptors are not enough"

finish
