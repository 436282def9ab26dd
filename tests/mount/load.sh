#!/bin/sh
# SPDX-License-Identifier: MIT
# load.sh - readers that are killed, and ends that come, while many read.
. "$(dirname "$0")/lib.sh"

model large

# start_readers N - each reads views for ever.
start_readers() {
    readers=
    for i in $(seq 1 "$1"); do
        : "$i"
        (while cat "$mnt"/views/f32/* "$mnt"/tensors/*; do :; done) >/dev/null 2>&1 &
        readers="$readers $!"
    done
    sleep 0.3
}

# What a server holds: descriptors (of pipes and files) and threads.
held() {
    find "/proc/$server/fd" "/proc/$server/task" -mindepth 1 -maxdepth 1 | wc -l
}

serve large.gguf
server=$(child_of "$pid")
start_readers 10
before=$(held)
for round in 1 2 3; do
    for reader in $readers; do
        # The shell first, then the cat that is left.
        kill -KILL "$reader" "$(find_child "$reader" && cat child)" 2>/dev/null
    done
    for reader in $readers; do
        wait "$reader" 2>/dev/null
    done
    [ $round = 3 ] || start_readers 10
done
[ "$(held)" -le $((before + 2)) ] || complain "the server held $before things, now $(held)"
works cmp "$mnt/tensors/f16" "$mnt/tensors/f16"
(cd "$mnt" && find . -type f -exec cat {} + >/dev/null) || complain "not all can be read"
# A cat that was killed may hold the mount a little longer.
# shellcheck disable=SC2317 # by eventually
unmounted() {
    umount "$mnt" 2>/dev/null
}
eventually unmounted || complain "killed readers keep the mount busy"
ended 0

for signal in TERM HUP; do
    serve large.gguf
    start_readers 8
    kill -$signal "$pid"
    ended 0
    for reader in $readers; do
        wait "$reader"
    done
done

# The server dies under load: readers are told, and go.
serve large.gguf
start_readers 8
kill -KILL "$(child_of "$pid")"
for reader in $readers; do
    wait "$reader"
done
wait "$pid"
same "status of the caretaker" 2 $?
is_mounted "$mnt" && complain "still mounted"

# Unmounted lazily, it serves what is open, and ends with that.
serve large.gguf
exec 5<"$mnt/tensors/f16"
cksum <"$mnt/tensors/f16" >before
works umount -l "$mnt"
is_alive "$pid" || complain "the caretaker went while a file was open"
cksum <&5 >after
works cmp before after
exec 5<&-
ended 0

finish
