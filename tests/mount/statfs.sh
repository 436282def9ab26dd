#!/bin/sh
# SPDX-License-Identifier: MIT
# statfs.sh - df: the model's size, nothing free.
. "$(dirname "$0")/lib.sh"

model sample
serve sample.gguf
size=$(stat -c %s sample.gguf)
# shellcheck disable=SC2046 # seven numbers
set -- $(stat -f -c '%b %S %f %a %c %d %l' "$mnt")
same "bytes" $(((size + $2 - 1) / $2 * $2)) $(($1 * $2))
same "free, available" "0 0" "$3 $4"
same "entries" "$(find "$mnt" -printf . | wc -c)" "$5"
same "entries free, longest name" "0 255" "$6 $7"
df "$mnt" | grep -q '100%' || complain "df: $(df "$mnt")"
leave

finish
