#!/bin/sh
# SPDX-License-Identifier: MIT
# holes.sh - headers that are holes in files of some bytes are refused in a second and 50 MB.
. "$(dirname "$0")/lib.sh"

[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers need more address space and time"

# number WIDTH N - little-endian.
number() {
    i=0
    while [ $i -lt "$1" ]; do
        # shellcheck disable=SC2059 # the format is made here
        printf "\\$(printf %03o $(($2 >> 8 * i & 255)))"
        i=$((i + 1))
    done
}

# head_of N_TENSORS N_KEYS
head_of() {
    printf GGUF
    number 4 3
    number 8 "$1"
    number 8 "$2"
}

# array TYPE COUNT - a key of no name with an array of this.
array() {
    number 8 0
    number 4 9
    number 4 "$1"
    number 8 "$2"
}

# refused FILE SIZE WORDS
refused() {
    truncate -s "$2" "$1"
    # shellcheck disable=SC3045 # dash has it
    (ulimit -v 50000 && ulimit -t 1 && exec "$ggfs" "$1" mnt) >out 2>error
    same "status of $1" 32 $?
    grep -q "^ggfs: $1: offset 0x[0-9a-f]*: $3" error || complain "$1: $(cat error)"
}
mkdir mnt

# What is wrong comes after many well-formed records of zeros.
head_of 4194304 4194304 >records.gguf
refused records.gguf 155189268 'tensor\[4194303\]\.offset: needs 8'
{ head_of 0 2; array 8 134000000; } >strings.gguf
refused strings.gguf 1072000060 'kv\[1\]\.value: needs 1'
{ head_of 0 2; array 9 80000000; } >arrays.gguf
refused arrays.gguf 960000060 'kv\[0\]\.value: at 0x[0-9a-f]*: more than 4194304 arrays'
{ head_of 0 2; array 0 1073000000; } >bytes.gguf
refused bytes.gguf 1073000060 'kv\[1\]\.value: needs 1'
{ head_of 0 1; array 0 1100000000; } >longer.gguf
refused longer.gguf 1100000060 'kv\[0\]\.value: the header is longer'
{ head_of 0 4194304; number 8 17; printf general.alignment; number 4 4; number 4 24; } >odd.gguf
refused odd.gguf 1G 'kv\[0\]\.value: general\.alignment is 24'
# words N... - little-endian, 4 bytes each.
words() {
    for word in "$@"; do
        number 4 "$word"
    done
}
for tokens in 2097152 2097153; do
    for magic in 'lmgg' 'fmgg\001\000\000\000' 'tjgg\003\000\000\000'; do
        # shellcheck disable=SC2059 # the bytes of the magic
        { printf "$magic"; words $tokens 4096 256 32 32 128 2; } >old.bin
        refused old.bin 200G '\(tensor\[0\]\|hparams\|token\)'
        rm old.bin
    done
done
grep -q " $tmp" /proc/self/mounts && complain "something is mounted"

finish
