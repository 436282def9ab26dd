#!/bin/sh
# SPDX-License-Identifier: MIT
# beside.sh - a text that takes its time to be sized holds up no other text.
. "$(dirname "$0")/lib.sh"

faults=$top_builddir/tests/lib/faults.so
[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers must come first"
[ -e "$faults" ] || skip "no faults.so"

GGFS_FAULTS=$tmp/fault LD_PRELOAD=$faults
export GGFS_FAULTS LD_PRELOAD
printf -- '-' >fault
model vocab=20000
serve vocab.gguf
unset LD_PRELOAD
child_of "$pid" >/dev/null
ls -f "$mnt" "$mnt/metadata" >/dev/null
# Checkpoints, which only a long text has, are all that memory grows for; it waits now.
printf r | dd of=fault conv=notrunc status=none
stat -c %s "$mnt/metadata/tokenizer.ggml.tokens" >size &
sizer=$!
sleep 0.5
# Should these wait too, it is not for ever.
(sleep 6 && printf -- '-' | dd of=fault conv=notrunc status=none) &
reminder=$!
for text in summary.txt format; do
    cat "$mnt/$text" >/dev/null
done
[ ! -s size ] || complain "other texts wait for one"
kill $reminder
printf -- '-' | dd of=fault conv=notrunc status=none
wait $sizer
same "size" "$(wc -c <"$mnt/metadata/tokenizer.ggml.tokens")" "$(cat size)"
leave

finish
