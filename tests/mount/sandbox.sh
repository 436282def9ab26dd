#!/bin/sh
# SPDX-License-Identifier: MIT
# sandbox.sh - what the server gives up, that it can work all the same, and how to keep it.
. "$(dirname "$0")/lib.sh"

# state FIELD - of the server, from /proc.
state() {
    sed -n "s/^$1:[[:space:]]*//p" "/proc/$server/status"
}

model large
sandbox=$("$ggfs" -V | sed -n 's/^sandbox //p')
echo "sandbox: $sandbox"
serve large.gguf
server=$(child_of "$pid")
eventually test "$(state NoNewPrivs)" = 1 || complain "it may gain privileges"
case $(state CapEff) in
0000000000000000 | 0000000001000000) ;;
*) complain "capabilities: $(state CapEff)" ;;
esac
[ "$(stat -c %u "/proc/$server/mem")" = 0 ] || complain "its user may look into it"
(cd "$mnt" && find . -type f -exec cat {} + >/dev/null) || complain "not all can be read"
is_alive "$server" || complain "the server has ended"
leave

# Messages still come, and threads end in peace: both need what is loaded beforehand.
serve large.gguf
for i in 1 2 3 4 5 6 7 8; do
    cat "$mnt"/tensors/* >/dev/null 2>&1 &
    readers="${readers:-} $!"
done
truncate -s 100 large.gguf
cat "$mnt/format" >/dev/null
for reader in $readers; do
    wait "$reader"
done
kill -TERM "$pid"
wait "$pid"
same "status" 0 $?
grep -q 'large.gguf: changed since' log || complain "no message out of the sandbox: $(cat log)"
grep -qi 'libgcc\|aborted\|terminate' log && complain "a thread died: $(cat log)"

model sample
serve sample.gguf -o nosandbox
server=$(child_of "$pid")
same "with nosandbox" 0 "$(state NoNewPrivs)"
works cat "$mnt/format" >/dev/null
leave

finish
