#!/bin/sh
# SPDX-License-Identifier: MIT
# background.sh - a start that works is silent, and leaves the terminal when all is done.
. "$(dirname "$0")/lib.sh"

model sample
mkdir -p sub/here
(cd sub && "$ggfs" -o "cache=$cache" ../sample.gguf here) >said 2>&1
same "status" 0 $?
same "said" "" "$(cat said)"
is_mounted "$tmp/sub/here" || complain "not mounted when the command ended"
works cmp "$tmp/sub/here/format" "$tmp/sub/here/format"
daemon=$(caretaker_of here)
[ -n "$daemon" ] || complain "no process in the background"
if [ -n "$daemon" ]; then
    server=$(child_of "$daemon")
    same "working directory" / "$(readlink "/proc/$daemon/cwd")"
    for fd in 0 1 2; do
        same "descriptor $fd" /dev/null "$(readlink "/proc/$daemon/fd/$fd")"
        same "descriptor $fd" /dev/null "$(readlink "/proc/$server/fd/$fd")"
    done
    same "session of its own" "$daemon" "$(cut -d ' ' -f 6 "/proc/$daemon/stat")"
    same "the server's session" "$daemon" "$(cut -d ' ' -f 6 "/proc/$server/stat")"
    kill -TERM "$daemon"
    eventually is_gone "$tmp/sub/here" || complain "still mounted after SIGTERM"
fi

# Closed standard descriptors do not end up as the model.
works "$ggfs" sample.gguf "$mnt" <&- >&- 2>&-
same "format" "GGUF 3 little-endian" "$(cat "$mnt/format")"
cmp -s "$mnt/tensors/output_norm.weight" "$mnt/tensors/output_norm.weight" ||
    complain "a tensor cannot be read"
works umount "$mnt"

# The mount hides the model it shows.
mkdir hidden
cp sample.gguf hidden/a.gguf
works "$ggfs" hidden/a.gguf hidden
works test -e hidden/tensors.tsv
works cat hidden/tensors/output_norm.weight >/dev/null
works umount hidden

finish
