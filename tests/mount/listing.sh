#!/bin/sh
# SPDX-License-Identifier: MIT
# listing.sh - every directory lists what can be looked up, once, in a fixed order.
. "$(dirname "$0")/lib.sh"

model sample
serve sample.gguf
for entry in README.txt format metadata metadata.json metadata.tsv summary.txt tensors tensors.json \
    tensors.tsv views vocab; do
    [ -e "$mnt/$entry" ] || complain "no $entry"
done
same "directories of the root" "metadata tensors views vocab " \
    "$(cd "$mnt" && for d in */; do printf '%s ' "${d%/}"; done)"

# A token may be a newline: names end with NUL here.
find "$mnt" -print0 >all
count() {
    tr -dc '\0' | wc -c
}
same "each name once" "$(sort -zu all | count)" "$(count <all)"
same "entries that df counts" "$(count <all)" "$(df --output=itotal "$mnt" | tail -n 1 | tr -d ' ')"
works xargs -0 stat -c '' <all >/dev/null

# A name that is not there stays so, a listing read twice is the same.
[ ! -e "$mnt/tensors/nothing" ] || complain "a file that nobody listed"
ls -fU "$mnt/vocab/tokens" >once
ls -fU "$mnt/vocab/tokens" >twice
works cmp once twice
same "file order" "0 1 2 3 " "$(grep -v '^\.' once | head -n 4 | tr '\n' ' ')"
same "parent of a directory" "$(stat -c %i "$mnt")" "$(stat -c %i "$mnt/tensors/..")"
leave

finish
