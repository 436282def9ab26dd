#!/bin/sh
# SPDX-License-Identifier: MIT
# stat.sh - attributes: exact sizes, the model's mode and times, one inode number everywhere.
. "$(dirname "$0")/lib.sh"

model sample
chmod 0640 sample.gguf
touch -d '2023-04-05 06:07:08.123456789 UTC' sample.gguf
serve sample.gguf
same "mode of a file" "-r--r-----" "$(stat -c %A "$mnt/format")"
same "mode of a directory" "dr-xr-x---" "$(stat -c %A "$mnt/tensors")"
same "time" "$(stat -c %y sample.gguf)" "$(stat -c %y "$mnt/format")"
same "owner" "$(stat -c %u:%g sample.gguf)" "$(stat -c %u:%g "$mnt/format")"
same "links of a file" 1 "$(stat -c %h "$mnt/format")"
find "$mnt" -type d >directories
while IFS= read -r d; do
    below=$(find "$d" -mindepth 1 -maxdepth 1 -type d | wc -l)
    same "links of $d" $((2 + below)) "$(stat -c %h "$d")"
done <directories

# The size that stat tells is the number of bytes that can be read.
find "$mnt" -type f ! -name '*[[:cntrl:]]*' -printf '%s\t%p\n' >sizes
while IFS='	' read -r size path; do
    same "size of $path" "$size" "$(wc -c <"$path")"
done <sizes

# readdir, readdirplus and stat agree, and so do two mounts.
# shellcheck disable=SC2012 # what ls shows is the question
ls -AiU "$mnt/metadata" | sed 's/^ *//' >listed
(cd "$mnt/metadata" && find . -mindepth 1 -printf '%P\0' | xargs -0 stat -c '%i %n') >told
works cmp listed told
find "$mnt" -printf '%i %P\n' >here
mkdir other
works "$ggfs" sample.gguf other
find other -printf '%i %P\n' >there
works cmp here there
same "numbers told once" "$(wc -l <here)" "$(cut -d ' ' -f 1 here | sort -u | wc -l)"
works umount other
leave

finish
