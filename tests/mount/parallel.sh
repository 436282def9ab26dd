#!/bin/sh
# SPDX-License-Identifier: MIT
# parallel.sh - many readers at once see what one sees.
. "$(dirname "$0")/lib.sh"

model large
serve large.gguf
(cd "$mnt" && find tensors views -type f -exec sha256sum {} + | sort) >one
for i in 1 2 3 4 5 6; do
    (cd "$mnt" && find tensors views -type f -exec sha256sum {} + | sort) >"many.$i" &
    readers="${readers:-} $!"
done
for i in 1 2 3 4; do
    (cd "$mnt" && find . -printf '%p %s %i\n' | sort) >"list.$i" &
    readers="$readers $!"
done
for reader in $readers; do
    works wait "$reader"
done
for i in 1 2 3 4 5 6; do
    works cmp one "many.$i"
done
works cmp list.1 list.2
works cmp list.1 list.4
leave
serve large.gguf -s
(cd "$mnt" && find tensors views -type f -exec sha256sum {} + | sort) >single
works cmp one single
leave

finish
