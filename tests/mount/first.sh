#!/bin/sh
# SPDX-License-Identifier: MIT
# first.sh - texts that are sized on first use are asked for by many at once.
. "$(dirname "$0")/lib.sh"

model vocab=20000
serve vocab.gguf
for i in 1 2 3 4; do
    (cd "$mnt" && cat metadata.json vocab/vocab.tsv vocab/tokens.txt vocab/vocab.json "vocab/ids/$(sed -n 7778p vocab/tokens.txt)") \
        >"got.$i" &
    readers="${readers:-} $!"
done
for reader in $readers; do
    works wait "$reader"
done
for i in 2 3 4; do
    works cmp got.1 "got.$i"
done
same "the id at the end" 7777 "$(tail -n 1 got.1)"
same "lines of tokens.txt" 20000 "$(wc -l <"$mnt/vocab/tokens.txt")"
leave

finish
