#!/bin/sh
# SPDX-License-Identifier: MIT
# changed.sh - a model changed in place is served as it is, and logged once.
. "$(dirname "$0")/lib.sh"

model sample
serve sample.gguf
cat "$mnt/format" "$mnt/summary.txt" >/dev/null
[ ! -s log ] || complain "said too early: $(cat log)"
touch -d '2001-02-03' sample.gguf
for again in 1 2 3; do
    : $again
    cat "$mnt/format" "$mnt/tensors.tsv" "$mnt/tensors/output_norm.weight" >/dev/null
done
same "lines in the log" 1 "$(wc -l <log)"
grep -q '^ggfs: .*sample.gguf: changed' log || complain "the log says: $(cat log)"
works umount "$mnt"
wait "$pid"
same "exit status" 0 $?

# A mode that changes is not seen, and nothing to speak of.
serve sample.gguf
chmod 0 sample.gguf
works cat "$mnt/tensors/output_norm.weight" >/dev/null
same "mode" 444 "$(stat -c %a "$mnt/format")"
leave
chmod 0644 sample.gguf

# Deleted and replaced, a model is what it was when it was opened.
model sample
serve sample.gguf
cat "$mnt/tensors/output_norm.weight" >before
rm sample.gguf
echo something else >sample.gguf
cat "$mnt/tensors/output_norm.weight" >after
works cmp before after
leave

finish
