#!/bin/sh
# SPDX-License-Identifier: MIT
# killed.sh - what is left when either of the two processes, or both, are killed.
. "$(dirname "$0")/lib.sh"

# told_to_end PID - libfuse misses a signal that comes just before it begins to wait.
told_to_end() {
    kill -TERM "$1" 2>/dev/null
    is_dead "$1"
}

model sample
# The server: its caretaker unmounts, says so, and a reader does not wait for ever.
serve sample.gguf
server=$(child_of "$pid")
named() { [ "$(cat "/proc/$server/comm")" = ggfs-server ]; }
eventually named
same "names in ps" "ggfs ggfs-server" "$(cat "/proc/$pid/comm") $(cat "/proc/$server/comm")"
exec 5<"$mnt/tensors/output_norm.weight"
kill -KILL "$server"
wait "$pid"
same "status of the caretaker" 2 $?
is_mounted "$mnt" && complain "a killed server leaves its mount"
grep -q "^ggfs: $mnt: .*killed by signal 9" log || complain "the log says: $(cat log)"
same "lines in the log" 1 "$(wc -l <log)"
cat <&5 >/dev/null 2>&1 && complain "a file of a dead server can be read"
exec 5<&-
works test -z "$(ls -A "$mnt")"

# The same in the background, where the status is nobody's.
works "$ggfs" -o "cache=$cache" sample.gguf "$mnt"
cat "$mnt/format" >/dev/null
caretaker=$(caretaker_of "$mnt")
[ -n "$caretaker" ] || die "no caretaker"
kill -KILL "$(child_of "$caretaker")"
eventually is_gone "$mnt" || complain "a killed server in the background leaves its mount"
eventually is_dead "$caretaker" || complain "the caretaker stays"

# The caretaker: the server serves on, and ends with the mount.
serve sample.gguf
server=$(child_of "$pid")
kill -KILL "$pid"
wait "$pid" 2>/dev/null
same "without a caretaker" "GGUF 3 little-endian" "$(cat "$mnt/format")"
works umount "$mnt"
eventually is_dead "$server" || complain "a server without caretaker and mount lives on"

# One that is told to end cannot unmount in its sandbox, and says who can.
serve sample.gguf
server=$(child_of "$pid")
kill -KILL "$pid"
wait "$pid" 2>/dev/null
eventually told_to_end "$server" || complain "an orphan does not end"
same "lines of an orphan" 1 "$(wc -l <log)"
grep -q "^ggfs: $mnt: a dead mount is left.*fusermount3 -u $mnt\$" log || complain "it says: $(cat log)"
works umount "$mnt"

# A server outside of the sandbox can unmount by itself.
serve sample.gguf -o nosandbox
server=$(child_of "$pid")
kill -KILL "$pid"
wait "$pid" 2>/dev/null
eventually told_to_end "$server"
eventually is_gone "$mnt" || complain "an orphan outside of the sandbox leaves its mount"
[ ! -s log ] || complain "an orphan outside of the sandbox says: $(cat log)"

# Both: a new ggfs says what to run, whether the kernel remembers the root or not.
for look in true "stat $mnt"; do
    serve sample.gguf
    $look >/dev/null
    kill -KILL "$pid" "$(child_of "$pid")"
    wait "$pid" 2>/dev/null
    is_mounted "$mnt" || complain "who has unmounted?"
    "$ggfs" sample.gguf "$mnt" 2>error
    same "status on a dead mount" 32 $?
    same "lines about it" 1 "$(wc -l <error)"
    grep -q "dead.*fusermount3 -u $mnt" error || complain "wanted what to run: $(cat error)"
    works umount "$mnt"
done
works "$ggfs" sample.gguf "$mnt"
works umount "$mnt"

# What somebody else mounts there in the meantime stays.
serve sample.gguf
server=$(child_of "$pid")
kill -STOP "$pid"
eventually told_to_end "$server" || complain "SIGTERM does not end a server"
works umount "$mnt"
works "$ggfs" -o "cache=$cache" sample.gguf "$mnt"
kill -CONT "$pid"
wait "$pid"
same "status beside another mount" 0 $?
is_mounted "$mnt" || complain "the caretaker has unmounted what another has mounted"
works umount "$mnt"

finish
