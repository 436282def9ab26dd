#!/bin/sh
# SPDX-License-Identifier: MIT
# blocks.sh - du of a mount is about the size of the model; views take no room.
. "$(dirname "$0")/lib.sh"

model large
serve large.gguf
same "blocks of a tensor" $((1024 * 1500 * 4 / 512)) "$(stat -c %b "$mnt/tensors/f32")"
same "blocks of a view" 0 "$(stat -c %b "$mnt/views/f32/q4_0.f32")"
same "block size of a large file" 524288 "$(stat -c %o "$mnt/tensors/f32")"
used=$(du -s --block-size=1 "$mnt" | cut -f 1)
size=$(stat -c %s large.gguf)
if [ "$used" -gt $((size + 4096)) ] || [ "$used" -lt $((size * 9 / 10)) ]; then
    complain "du says $used, the model has $size bytes"
fi
leave

finish
