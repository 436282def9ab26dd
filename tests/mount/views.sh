#!/bin/sh
# SPDX-License-Identifier: MIT
# views.sh - pieces of a view at any offset are the same pieces of the whole.
. "$(dirname "$0")/lib.sh"

model large
serve large.gguf
for view in "$mnt/views/f32/q4_0.f32" "$mnt/views/npy/q8_0.npy" "$mnt/views/npy/f16.npy"; do
    works cp "$view" whole
    for piece in 1:1:7 7:4095:3 1:4097:9 3:65537:5 1:524289:3 13:131071:2 5:1000003:1; do
        skip=${piece%%:*} bs=${piece#*:} count=${piece##*:}
        bs=${bs%:*}
        dd if="$view" bs="$bs" skip="$skip" count="$count" of=got 2>/dev/null
        dd if=whole bs="$bs" skip="$skip" count="$count" of=wanted 2>/dev/null
        cmp -s got wanted || complain "$view: dd bs=$bs skip=$skip count=$count differs"
    done
done
same "floats of a view" $((4096 * 2000 * 4)) "$(stat -c %s "$mnt/views/f32/q4_0.f32")"
leave

finish
