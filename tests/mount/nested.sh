#!/bin/sh
# SPDX-License-Identifier: MIT
# nested.sh - a model inside a model: a mount of a file of another mount.
. "$(dirname "$0")/lib.sh"

need_numpy
model sample
"$PYTHON" - sample.gguf outer.gguf <<'PY' || die "cannot make the outer model"
import struct, sys
inner = open(sys.argv[1], "rb").read()
def text(s):
    return struct.pack("<Q", len(s)) + s
head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0)
head += text(b"inner") + struct.pack("<IQIQ", 1, len(inner), 24, 0)
open(sys.argv[2], "wb").write(head + bytes(-len(head) % 32) + inner)
PY
serve outer.gguf
works cmp sample.gguf "$mnt/tensors/inner"
mkdir inside
works "$ggfs" -o "cache=$cache" "$mnt/tensors/inner" inside
works "$ggfs" sample.gguf "$mnt/views/f32"
same "a mount on a folder of a mount" "GGUF 3 little-endian" "$(cat "$mnt/views/f32/format")"
for folder in metadata tensors views vocab; do
    works diff -rq inside/$folder "$mnt/views/f32/$folder"
done
works umount "$mnt/views/f32"
refuses 'busy' umount "$mnt"
works umount inside
# shellcheck disable=SC2317 # by eventually
free() {
    umount "$mnt" 2>/dev/null
}
eventually free || complain "the outer mount stays busy"
ended 0

finish
