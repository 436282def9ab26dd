#!/bin/sh
# SPDX-License-Identifier: MIT
# offsets.sh - any piece of a raw tensor is the same piece of the model file.
. "$(dirname "$0")/lib.sh"

model large
serve large.gguf
for name in f32 q8_0 odd q4_0 f16; do
    at=$(field $name offset)
    size=$(stat -c %s "$mnt/tensors/$name")
    same "bytes in tensors.json" "$size" "$(field $name bytes)"
    cmp -n "$size" -i "$at:0" large.gguf "$mnt/tensors/$name" || complain "$name differs"
done
# seek, block size and count around pages, requests and the end.
at=$(field q4_0 offset)
size=$(stat -c %s "$mnt/tensors/q4_0")
for piece in 1:1:7 7:4095:3 1:4097:9 3:65537:5 1:524288:2 1:524289:3 13:131071:2 3:1000003:1 \
    1:1048577:2; do
    skip=${piece%%:*} bs=${piece#*:} count=${piece##*:}
    bs=${bs%:*}
    dd if="$mnt/tensors/q4_0" bs="$bs" skip="$skip" count="$count" of=got 2>/dev/null
    dd if=large.gguf iflag=skip_bytes,count_bytes skip=$((at + skip * bs)) \
        count=$((count * bs)) of=wanted 2>/dev/null
    cmp -s got wanted || complain "dd bs=$bs skip=$skip count=$count differs"
done
same "the last byte" 1 "$(tail -c +"$size" "$mnt/tensors/q4_0" | wc -c)"
same "behind the end" 0 "$(tail -c +$((size + 1)) "$mnt/tensors/q4_0" | wc -c)"
dd if="$mnt/tensors/q4_0" iflag=direct bs=262144 of=got 2>/dev/null
works cmp "$mnt/tensors/q4_0" got
leave

finish
