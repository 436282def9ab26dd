#!/bin/sh
# SPDX-License-Identifier: MIT
# memory.sh - no memory is status 2 with a sentence; a small limit is enough to work.
. "$(dirname "$0")/lib.sh"

[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers need more address space"
model vocab=400000
mkdir mnt
# shellcheck disable=SC3045 # dash has it
(ulimit -v 12000 && exec "$ggfs" --check vocab.gguf) >out 2>error
same "status of --check" 2 $?
grep -q '^ggfs: .*memory' error || complain "$(cat error)"
# shellcheck disable=SC3045 # dash has it
(ulimit -v 12000 && exec "$ggfs" vocab.gguf mnt) >out 2>error
same "status" 2 $?
grep -q '^ggfs: .*memory' error || complain "$(cat error)"
grep -q " $tmp" /proc/self/mounts && complain "something is mounted"

finish
