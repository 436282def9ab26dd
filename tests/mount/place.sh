#!/bin/sh
# SPDX-License-Identifier: MIT
# place.sh - mount points that are refused, with the command that helps.
. "$(dirname "$0")/lib.sh"

model sample
none() {
    same "mounts below $tmp" "${1:-0}" "$(grep -c " $tmp.* fuse" /proc/self/mounts)"
}
# refused WORDS ARGUMENT... - one sentence, status 32.
refused() {
    words=$1
    shift
    "$ggfs" "$@" >said 2>error
    same "status of $*" 32 $?
    same "lines for $*" "0 1" "$(wc -l <said) $(wc -l <error)"
    grep -q "^ggfs: .*$words" error || complain "wanted '$words': $(cat error)"
}
refused 'mkdir -p' sample.gguf "$tmp/missing"
refused 'not a directory.*MODEL MOUNTPOINT' "$tmp" sample.gguf
refused 'ot a directory' sample.gguf sample.gguf/below
refused 'hide everything' sample.gguf /
refused 'hide everything' sample.gguf /./
none
works "$ggfs" sample.gguf "$mnt"
refused 'already.*fusermount3 -u' sample.gguf "$mnt"
refused 'already' sample.gguf mnt/
none 1
# On a file of another mount, and below it.
mkdir second
works "$ggfs" "$mnt/../sample.gguf" second
works umount second
refused 'not a directory' sample.gguf "$mnt/format"
refused 'begins with' "$mnt/README.txt" second
works umount "$mnt"
none

# What /proc/self/mounts escapes.
odd=$(printf 'a #b\\c\td')
mkdir "$odd"
works "$ggfs" sample.gguf "$odd"
refused 'already' sample.gguf "$odd"
works umount "$odd"

# The commands can be given as they stand, to the shell that knows $'…' where they need that.
advised() {
    sed -n "s/.* with: //p" error >advice
    works "$1" ./advice
}
mkdir words
# shellcheck disable=SC2016
for name in 'a b' "it's" '$(x) * & "y"'; do
    refused 'make it with' sample.gguf "words/$name"
    advised sh
    works "$ggfs" sample.gguf "words/$name"
    refused 'unmount it with' sample.gguf "words/$name"
    advised sh
    none
done
if command -v bash >/dev/null; then
    odd=$(printf "words/it's\n\\\\\377\001")
    refused 'make it with' sample.gguf "$odd"
    advised bash
    [ -d "$odd" ] || complain "not made: $(cat advice)"
fi

refused 'No such file' missing.gguf "$mnt"
refused 'directory' "$tmp" "$mnt"
none

finish
