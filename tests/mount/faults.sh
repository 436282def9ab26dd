#!/bin/sh
# SPDX-License-Identifier: MIT
# faults.sh - reads of the model that fail, come short or are interrupted; threads that do not start.
. "$(dirname "$0")/lib.sh"

faults=$top_builddir/tests/lib/faults.so
[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers must come first"
[ -e "$faults" ] || skip "no faults.so"

GGFS_FAULTS=$tmp/fault
export GGFS_FAULTS
# fault LETTER - from now on, as faults.c tells; - for none.
fault() {
    printf '%s' "$1" | dd of="$GGFS_FAULTS" conv=notrunc status=none
}

# all - what the mount holds.
all() {
    (cd "$mnt" && find . -type f -exec sha256sum {} + | sort)
}

printf -- '-' >"$GGFS_FAULTS"
model large
serve large.gguf
all >whole
leave
raw=$mnt/tensors/q8_0 view=$mnt/views/f32/q8_0.f32

# faulty LETTER [OPTION] - served with this fault from the start on.
faulty() {
    fault "$1"
    shift
    LD_PRELOAD=$faults
    export LD_PRELOAD
    serve large.gguf "$@"
    unset LD_PRELOAD
}

# unscathed WHAT - all is there, and the mount ends well.
unscathed() {
    all >now
    cmp whole now || complain "$1: $(diff whole now | head -n 5)"
    works umount "$mnt"
    wait "$pid"
    same "$1: status" 0 $?
}

for threads in two -s; do
    faulty - ${threads#two}
    fault e
    refuses 'Input/output error' cat "$raw"
    refuses 'Input/output error' cat "$view"
    works cat "$mnt/metadata.json" "$mnt/tensors.json" "$mnt/format" >/dev/null
    grep -q 'large.gguf: offset 0x.*: cannot be read: Input/output error' log ||
        complain "the log says: $(cat log)"
    fault -
    unscathed "reads that failed before ($threads)"

    for letter in s i; do
        faulty $letter ${threads#two}
        unscathed "fault $letter ($threads)"
    done
done

# At the start.
fault e
LD_PRELOAD=$faults "$ggfs" large.gguf "$mnt" 2>error
same "status for a model that cannot be read" 32 $?
grep -q 'large.gguf: offset 0x.*: Input/output error' error || complain "it says: $(cat error)"
is_mounted "$mnt" && complain "mounted"

faulty t
unscathed "no threads"
grep -q 'threads cannot be started' log || complain "the log says: $(cat log)"

finish
