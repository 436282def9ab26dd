#!/bin/sh
# SPDX-License-Identifier: MIT
# busy.sh - files that are open when the mount goes.
. "$(dirname "$0")/lib.sh"

model sample
serve sample.gguf
exec 5<"$mnt/format"
refuses 'busy' umount "$mnt"
read -r line <&5
same "an open file" "GGUF 3 little-endian" "$line"
kill -TERM "$pid"
ended 0
exec 5<&-

# A working directory inside keeps it busy, too.
serve sample.gguf
(cd "$mnt/tensors" && umount "$mnt" 2>/dev/null) && complain "unmounted under a directory in use"
leave

finish
