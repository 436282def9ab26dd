#!/bin/sh
# SPDX-License-Identifier: MIT
# nomemory.sh - an allocation fails, each in turn: a sentence and a status, or a mount that works.
GGFS_TEST_CACHE=${GGFS_TEST_CACHE:-auto}
. "$(dirname "$0")/lib.sh"

faults=$top_builddir/tests/lib/faults.so
[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers have allocators of their own"
[ -e "$faults" ] || skip "no faults.so"

model sample
works "$ggfs" -s sample.gguf "$mnt"
(cd "$mnt" && find . -type f -exec sha256sum {} + | sort) >whole
works umount "$mnt"

# refused STATUS - what is said when the mount is refused. Some lines are libfuse's own.
refused() {
    refusals=$((refusals + 1))
    [ "$1" = 2 ] || [ "$1" = 32 ] || complain "allocation $n: status $1"
    same "allocation $n: lines of our own" "1 1" \
        "$(grep -vc '^fuse: ' said) $(grep -c '^ggfs: ' said)"
    [ "$(wc -l <said)" -le 2 ] || complain "allocation $n: said $(cat said)"
    is_mounted "$mnt" && complain "allocation $n: mounted all the same"
}

look() {
    (cd "$mnt" && timeout 20 find . -type f -exec sha256sum {} + | sort) >seen 2>/dev/null
    cmp -s whole seen
}

# served - a mount whose memory ran short once has errors, then everything.
served() {
    mounts=$((mounts + 1))
    [ ! -s said ] || complain "allocation $n: said $(cat said)"
    look || look || look || complain "allocation $n: $(diff whole seen | head -n 3)"
    is_mounted "$mnt" || complain "allocation $n: the mount is gone"
    works umount "$mnt"
}

start() {
    GGFS_FAIL_ALLOC=$n LD_PRELOAD=$faults timeout 20 "$ggfs" -s sample.gguf "$mnt" >said 2>&1
}

refusals=0 mounts=0
for n in $(seq 1 "${GGFS_ALLOCATIONS:-110}"); do
    start
    status=$?
    if [ $status = 0 ]; then served; else refused $status; fi
done
echo "each allocation in turn: $refusals refusals, $mounts mounts"
[ $refusals -gt 20 ] || complain "too few refusals"
[ $mounts -gt 20 ] || complain "too few mounts"

# From one on all fail, also those that would clean up.
refusals=0 i=0 status=1
while [ $status != 0 ] && [ $i -lt 200 ]; do
    i=$((i + 1)) n=$i+
    start
    status=$?
    [ $status = 0 ] || refused $status
done
echo "all from one on: $refusals refusals"
[ $status = 0 ] || complain "200 allocations before the mount"
# That one gives up by itself.
look && complain "everything can be read without memory"
eventually is_gone "$mnt" || complain "a server without memory stays"

finish
