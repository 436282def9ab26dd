#!/bin/sh
# SPDX-License-Identifier: MIT
# names.sh - names too long to be there, and odd ones that are.
. "$(dirname "$0")/lib.sh"

model odd-names
model long-names
serve odd-names.gguf
find "$mnt/tensors" "$mnt/metadata" -type f -print0 >all
works xargs -0 cat <all >/dev/null
long=$(printf '%0256d' 0)
refuses 'name too long' cat "$mnt/tensors/$long"
refuses 'No such file' cat "$mnt/tensors/$(printf '%0255d' 0)"
refuses 'Not a directory' cat "$mnt/format/below"
leave
serve long-names.gguf
find "$mnt/tensors" "$mnt/metadata" -type f -print0 >all
works xargs -0 cat <all >/dev/null
leave

finish
