#!/bin/sh
# SPDX-License-Identifier: MIT
# cutting.sh - a model that is cut in the middle of a read of it.
. "$(dirname "$0")/lib.sh"

faults=$top_builddir/tests/lib/faults.so
[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers must come first"
[ -e "$faults" ] || skip "no faults.so"

GGFS_FAULTS=$tmp/fault
export GGFS_FAULTS
printf -- '-' >"$GGFS_FAULTS"
model large
raw=$mnt/tensors/f16 view=$mnt/views/f32/q8_0.f32
serve large.gguf
cat "$raw" >raw.whole
cat "$view" >view.whole
leave

# faulty LETTER - served with this fault, as faults.c tells.
faulty() {
    LD_PRELOAD=$faults
    export LD_PRELOAD
    serve large.gguf
    unset LD_PRELOAD
    child_of "$pid" >/dev/null
    printf '%s' "$1" | dd of="$GGFS_FAULTS" conv=notrunc status=none
}

# A short reply would be the end of the file for the page cache, with zeros behind it.
if [ "$cache" = kernel ]; then
    faulty c
    works cmp "$raw" raw.whole
    same "size" "$(wc -c <raw.whole)" "$(stat -c %s "$raw")"
    works cmp "$raw" raw.whole
    leave
fi

# starts_like FILE OTHER - and is shorter: an error came before any zeros.
starts_like() {
    [ "$(wc -c <"$1")" -lt "$(wc -c <"$2")" ] && cmp -n "$(wc -c <"$1")" "$1" "$2"
}

# What was read of a page that is cut counts no more than what the file then holds. Raw tensors past
# the page cache are not read but passed on.
faulty z
cat "$view" >got 2>error && complain "no error in a view"
works starts_like got view.whole
if [ "$cache" = kernel ]; then
    cat "$raw" >got 2>error && complain "no error in a tensor"
    works starts_like got raw.whole
fi
works umount "$mnt"
wait "$pid"
same "exit status" 0 $?

finish
