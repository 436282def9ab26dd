#!/bin/sh
# SPDX-License-Identifier: MIT
# away.sh - the file system that the model lies on goes away.
. "$(dirname "$0")/lib.sh"

need_numpy
model large
"$PYTHON" - large.gguf outer.gguf <<'PY' || die "cannot make the outer model"
import struct, sys
inner = open(sys.argv[1], "rb").read()
def text(s):
    return struct.pack("<Q", len(s)) + s
head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0)
head += text(b"inner") + struct.pack("<IQIQ", 1, len(inner), 24, 0)
open(sys.argv[2], "wb").write(head + bytes(-len(head) % 32) + inner)
PY

# Its server is killed: what lies in memory is served, the rest is an error, the mount stays usable.
serve outer.gguf
outer=$pid
mkdir inner
"$ggfs" -f -o "cache=$cache" "$mnt/tensors/inner" inner 2>log.inner &
pid=$!
pids="$pids $pid"
eventually is_mounted "$tmp/inner" || die "not mounted: $(cat log.inner)"
kill -KILL "$(child_of "$outer")"
wait "$outer"
is_mounted "$mnt" && complain "the outer mount stays"
works test -s inner/metadata/general.architecture
works cat inner/metadata.json inner/tensors.tsv >/dev/null
# What is read by splice gets the error as it came, what is copied EIO.
for again in 1 2; do
    : $again
    refuses 'Transport endpoint\|Input/output error' cat inner/tensors/q8_0
    refuses 'Input/output error' cat inner/views/f32/q8_0.f32
done
works ls -lR inner >/dev/null
works umount inner
wait "$pid"
same "status of the inner" 0 $?
grep -q 'cannot be \(read\|looked at\): Transport endpoint' log.inner ||
    complain "the inner log says: $(cat log.inner)"

# Unmounted lazily, a file system serves what is open.
mkdir disk
mount -t tmpfs none disk 2>/dev/null || finish
cp large.gguf disk
mkdir here
cp large.gguf here
serve disk/large.gguf
umount -l disk
(cd "$mnt" && find . -type f -exec sha256sum {} + | sort) >away
leave
serve here/large.gguf
(cd "$mnt" && find . -type f -exec sha256sum {} + | sort) >there
leave
works diff away there

finish
