#!/bin/sh
# SPDX-License-Identifier: MIT
# options.sh - cache=direct, one thread, debug; a kernel set of choice.
. "$(dirname "$0")/lib.sh"

model sample
model large
if "$ggfs" -o cache=direct large.gguf "$mnt" 2>error; then
    works cmp "$mnt/format" "$mnt/format"
    works cmp "$mnt/tensors/f32" "$mnt/tensors/f32"
    works umount "$mnt"
else
    same "status where it cannot be had" 32 $?
    grep -q 'cache=direct' error || complain "$(cat error)"
fi
serve sample.gguf -s --cpu=scalar
same "threads" 1 "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)"
works cp "$mnt/views/f32/output.weight.f32" scalar
leave
serve sample.gguf
works cmp scalar "$mnt/views/f32/output.weight.f32"
leave
"$ggfs" -d sample.gguf "$mnt" 2>debug &
pid=$!
pids="$pids $pid"
eventually is_mounted_or_gone
cat "$mnt/format" >/dev/null
works umount "$mnt"
works wait "$pid"
grep -q 'LOOKUP' debug || complain "-d shows no requests"

finish
