#!/bin/sh
# SPDX-License-Identifier: MIT
# unmount.sh - with auto_unmount a third process unmounts where nobody else is left to.
. "$(dirname "$0")/lib.sh"

command -v fusermount3 >/dev/null || skip "no fusermount3"
[ -e /etc/mtab ] || skip "no /etc/mtab"
model sample

# A watcher is a fusermount3 with our mount point as its last word.
watches() {
    for comm in /proc/[0-9]*/comm; do
        line=
        { read -r line <"$comm"; } 2>/dev/null
        [ "$line" = fusermount3 ] || continue
        { tr '\0' ' ' <"${comm%/*}/cmdline" | grep -q " $mnt \$"; } 2>/dev/null && return
    done
    return 1
}

no_watcher() {
    ! watches
}

for options in auto_unmount auto_unmount,allow_other; do
    # Both are killed.
    serve sample.gguf -o $options
    works watches
    same "format" "GGUF 3 little-endian" "$(cat "$mnt/format")"
    kill -KILL "$pid" "$(server_of "$pid")"
    wait "$pid" 2>/dev/null
    eventually is_gone "$mnt" || complain "$options: a dead mount is left"
    eventually no_watcher || complain "$options: the watcher stays"

    # The server alone, and nobody: the caretaker is there, and the watcher goes with it.
    serve sample.gguf -o $options
    kill -KILL "$(server_of "$pid")"
    wait "$pid"
    same "status with a killed server" 2 $?
    eventually is_gone "$mnt" || complain "$options: a killed server leaves its mount"
    serve sample.gguf -o $options
    kill -TERM "$pid"
    ended 0
    serve sample.gguf -o $options
    leave
    eventually no_watcher || complain "$options: a watcher stays"

    # A caretaker that is killed takes nothing away.
    serve sample.gguf -o $options
    server=$(server_of "$pid")
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    same "without a caretaker" "GGUF 3 little-endian" "$(cat "$mnt/format")"
    kill -TERM "$server"
    eventually is_gone "$mnt" || complain "$options: an orphan leaves a dead mount"
done

# In the background too.
works "$ggfs" -o "auto_unmount,cache=$cache" sample.gguf "$mnt"
caretaker=$(caretaker_of "$mnt")
kill -KILL "$caretaker" "$(server_of "$caretaker")"
eventually is_gone "$mnt" || complain "a dead mount is left in the background"

finish
