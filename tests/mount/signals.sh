#!/bin/sh
# SPDX-License-Identifier: MIT
# signals.sh - every way to end a mount ends it with status 0.
. "$(dirname "$0")/lib.sh"

model sample
for signal in TERM INT HUP; do
    serve sample.gguf
    cat "$mnt/format" >/dev/null
    # A shell lets its background jobs ignore INT.
    if [ $signal = INT ] && grep -q '^SigIgn:.*[2367abef]$' "/proc/$pid/status"; then
        leave
        continue
    fi
    kill -$signal "$pid"
    ended 0
done
serve sample.gguf
works umount "$mnt"
ended 0
if command -v fusermount3 >/dev/null; then
    serve sample.gguf
    works fusermount3 -u "$mnt"
    ended 0
fi
# Started with signals blocked, it ends all the same.
if "$PYTHON" -c '' 2>/dev/null; then
    "$PYTHON" -c 'import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])
os.execv(sys.argv[1], sys.argv[1:])' "$ggfs" -f -o "cache=$cache" sample.gguf "$mnt" 2>log &
    pid=$!
    pids="$pids $pid"
    eventually is_mounted_or_gone
    child_of "$pid" >/dev/null
    kill -TERM "$pid"
    ended 0
fi
serve sample.gguf -s
kill -TERM "$pid"
ended 0

# A server that does not listen any more is killed after some seconds; that is no failure.
serve sample.gguf
server=$(child_of "$pid")
kill -STOP "$server"
kill -TERM "$pid"
ended 0
is_dead "$server" || complain "a server that does not listen lives on"

finish
