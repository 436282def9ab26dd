#!/bin/sh
# SPDX-License-Identifier: MIT
# race.sh - of several that are to mount at one place at once, one does.
. "$(dirname "$0")/lib.sh"

model sample
for round in 1 2 3 4 5 6 7 8; do
    for i in 1 2 3 4 5 6; do
        "$ggfs" -o "cache=$cache" sample.gguf "$mnt" 2>"said.$i" &
        starters="${starters:-} $!"
    done
    refused=0
    for starter in $starters; do
        wait "$starter" || refused=$((refused + 1))
    done
    starters=
    same "refused in round $round" 5 $refused
    same "mounts in round $round" 1 "$(grep -c " $mnt fuse.ggfs " /proc/self/mounts)"
    same "reasons in round $round" 5 "$(cat said.* | grep -c 'mounted there already')"
    while is_mounted "$mnt"; do
        umount "$mnt" || die "cannot unmount"
    done
done

# Somebody else's lock on the directory does not stop it.
exec 5<"$mnt"
if command -v flock >/dev/null && flock 5; then
    works "$ggfs" sample.gguf "$mnt"
    exec 5<&-
    works umount "$mnt"
fi

finish
