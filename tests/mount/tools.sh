#!/bin/sh
# SPDX-License-Identifier: MIT
# tools.sh - cp, diff, grep, tar and cat take the mount for any directory.
. "$(dirname "$0")/lib.sh"

model sample
serve sample.gguf
works cp -r "$mnt" copy
works diff -r "$mnt" copy
works diff -r "$mnt/vocab" copy/vocab
works tar -C "$mnt" -cf tree.tar .
mkdir untarred
works tar -C untarred -xf tree.tar
works diff -r "$mnt" untarred
works grep -rq 'llama' "$mnt/metadata"
same "a key" llama "$(cat "$mnt/metadata/general.architecture")"
same "format" "GGUF 3 little-endian" "$(cat "$mnt/format")"
same "a name with a slash" "a slash in the key" "$(cat "$mnt/metadata/example.a%2Fb")"
same "a token by number and back" 1 "$(cat "$mnt/vocab/ids/$(cat "$mnt/vocab/tokens/1")")"
chmod -R u+w copy untarred
leave

finish
