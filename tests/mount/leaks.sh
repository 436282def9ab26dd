#!/bin/sh
# SPDX-License-Identifier: MIT
# leaks.sh - both processes give all memory back, asked of a build with the address sanitizer.
. "$(dirname "$0")/lib.sh"

[ -n "${GGFS_SANITIZED:-}" ] || skip "a build without sanitizers"
# libfuse keeps the name of a mount that is gone already.
echo 'leak:libfuse3.so' >known
ASAN_OPTIONS=detect_leaks=1
LSAN_OPTIONS="suppressions=$tmp/known:print_suppressions=0"
export ASAN_OPTIONS LSAN_OPTIONS

model large
for way in umount kill; do
    for single in "" ,single; do
        # In the sandbox the sanitizer may not look.
        serve large.gguf -o "nosandbox$single"
        find "$mnt" -type f -exec cat {} + >/dev/null || complain "not all can be read"
        ls -lR "$mnt" >/dev/null
        ls "$mnt/nothing" 2>/dev/null
        if [ $way = umount ]; then
            leave
        else
            kill -TERM "$pid"
            ended 0
        fi
    done
done
refuses 'mkdir -p' "$ggfs" large.gguf "$tmp/missing"
grep -q Sanitizer refusal && complain "a refusal leaks: $(cat refusal)"
truncate -s 100 large.gguf
refuses 'offset' "$ggfs" large.gguf "$mnt"
grep -q Sanitizer refusal && complain "a refusal leaks: $(cat refusal)"

finish
