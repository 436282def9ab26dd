#!/bin/sh
# SPDX-License-Identifier: MIT
# line.sh - what mount(8) shows, and odd characters in paths.
. "$(dirname "$0")/lib.sh"

model sample
cp sample.gguf 'a model, with\signs.gguf'
serve 'a model, with\signs.gguf'
findmnt -n -o SOURCE,FSTYPE,OPTIONS --raw "$mnt" >line
grep -q '^[^ ]*/a\\x20model,\\x20with\\x5csigns.gguf fuse.ggfs ' line || complain "$(cat line)"
for option in ro nosuid nodev; do
    cut -d ' ' -f 3 line | tr , '\n' | grep -qx $option || complain "no $option: $(cat line)"
done
leave
serve ./sample.gguf -o rw,suid,dev
mount | grep -q "^$tmp/sample.gguf on $mnt type fuse.ggfs (ro,nosuid,nodev" ||
    complain "$(mount | grep ggfs)"
leave
mkdir "odd mnt,\\"
mnt="$tmp/odd mnt,\\"
"$ggfs" sample.gguf "$mnt" || complain "status $?"
same "format" "GGUF 3 little-endian" "$(cat "$mnt/format")"
refuses 'already' "$ggfs" sample.gguf "$mnt"
works umount "$mnt"

finish
