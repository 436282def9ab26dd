#!/bin/sh
# SPDX-License-Identifier: MIT
# signals.sh - every way to end a mount ends it with status 0.
. "$(dirname "$0")/lib.sh"

# as_started CODE - serves sample.gguf after this Python, in which `signal` has a shell's defaults.
as_started() {
    "$PYTHON" -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGQUIT:
    signal.signal(number, signal.SIG_DFL)
exec(sys.argv[1])
os.execv(sys.argv[2], sys.argv[2:])' "$1" "$ggfs" -f -o "cache=$cache" sample.gguf "$mnt" 2>log &
    pid=$!
    pids="$pids $pid"
    eventually is_mounted_or_gone
    server=$(server_of "$pid")
}

model sample
for signal in TERM HUP ALRM XCPU ABRT SEGV; do
    serve sample.gguf
    child_of "$pid" >/dev/null
    cat "$mnt/format" >/dev/null
    kill -$signal "$pid"
    ended 0
done

# What means nothing here kills neither process.
serve sample.gguf
server=$(child_of "$pid")
for signal in USR1 USR2 PIPE VTALRM PROF 29 PWR 16 XFSZ 34 50 64; do
    kill -s $signal "$pid" "$server"
done
same "after signals" "GGUF 3 little-endian" "$(cat "$mnt/format")"
is_alive "$pid" || complain "a signal without a meaning has killed the caretaker"
is_alive "$server" || complain "a signal without a meaning has killed the server"
leave

# What kills the server takes the mount with it.
for signal in KILL SEGV XCPU; do
    # Sanitizers catch it, to tell where.
    [ $signal != SEGV ] || [ -z "${GGFS_SANITIZED:-}" ] || continue
    serve sample.gguf
    kill -$signal "$(child_of "$pid")"
    wait "$pid"
    same "status after $signal to the server" 2 $?
    is_mounted "$mnt" && complain "a server killed by $signal leaves its mount"
done

serve sample.gguf
works umount "$mnt"
ended 0
if command -v fusermount3 >/dev/null; then
    serve sample.gguf
    works fusermount3 -u "$mnt"
    ended 0
fi
if "$PYTHON" -c '' 2>/dev/null; then
    # A shell lets its background jobs ignore these two.
    for signal in INT QUIT; do
        for to in caretaker both; do
            as_started ''
            [ $to = caretaker ] || kill -$signal "$server"
            kill -$signal "$pid" 2>/dev/null
            ended 0
        done
    done
    # Started with signals blocked, it ends all the same.
    as_started 'signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])'
    kill -TERM "$pid"
    ended 0
    # Children that it has had from before it was ggfs are no seconds that pass.
    as_started 'for i in range(10):
    if os.fork() == 0:
        import time
        time.sleep(1 + i / 10)
        os._exit(0)'
    kill -STOP "$server"
    sleep 0.5
    kill -TERM "$pid"
    sleep 2.5
    is_alive "$server" || complain "killed before five seconds have passed"
    kill -CONT "$server"
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
