#!/bin/sh
# SPDX-License-Identifier: MIT
# cut.sh - a model cut while it is mounted: right bytes, then EIO, never zeros.
. "$(dirname "$0")/lib.sh"

need_numpy
model large
for order in whole mapped; do
    cp large.gguf cut.gguf
    serve cut.gguf
    "$PYTHON" - "$mnt" large.gguf cut.gguf "$(field f16 offset)" $order <<'PY' || complain "$order: see above"
import errno, mmap, os, sys

mnt, whole, cut, at, order = sys.argv[1:]
path = mnt + "/tensors/f16"
size = os.stat(path).st_size
model = open(whole, "rb").read()[int(at):int(at) + size]
keep = size // 2 + 1234

def check(what, good):
    if not good:
        sys.exit("FAILED: %s: %s" % (order, what))

def read(block, flags=0):
    fd, got = os.open(path, os.O_RDONLY | flags), b""
    try:
        while True:
            piece = os.read(fd, block)
            if not piece:
                return got, 0
            got += piece
    except OSError as e:
        return got, e.errno
    finally:
        os.close(fd)

# A mapping made before the cut touches every page: right ones, then SIGBUS.
def touch():
    f = open(path, "rb")
    shared = mmap.mmap(f.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)
    os.truncate(cut, int(at) + keep)
    child = os.fork()
    if child == 0:
        for i in range(0, size, 4096):
            if shared[i] != model[i]:
                os._exit(1)
        os._exit(0)
    check("a mapping past the cut gets SIGBUS", os.waitpid(child, 0)[1] & 127 == 7)

if order == "mapped":
    touch()
else:
    os.truncate(cut, int(at) + keep)
for block in 4096, 65536, 1 << 20, 999:
    got, error = read(block)
    check("%d right bytes by %d" % (len(got), block), got == model[:len(got)])
    check("%d bytes by %d, the cut is at %d" % (len(got), block, keep),
          keep // 4096 * 4096 <= len(got) <= keep)
    check("EIO by %d, not %d" % (block, error), error == errno.EIO)
    check("the same size", os.stat(path).st_size == size)
view = mnt + "/views/f32/f16.f32"
with open(view, "rb") as f:
    f.seek(4 * (keep // 2 - 5000))
    check("values before the cut", len(f.read(4096)) == 4096)
    f.seek(4 * (keep // 2 + 5000))
    try:
        f.read(4096)
        check("an error in a view past the cut", False)
    except OSError as e:
        check("EIO in a view", e.errno == errno.EIO)
check("what lies before is untouched", len(open(mnt + "/tensors/f32", "rb").read()) == 6144000)
check("so are the texts", open(mnt + "/format").read() == "GGUF 3 little-endian\n")
PY
    is_alive "$pid" || complain "ggfs has ended"
    works umount "$mnt"
    wait "$pid"
    same "exit status" 0 $?
    # What was changed, and the first fault of each of two files: no line twice.
    same "lines in the log" "$(sort -u log | wc -l)" "$(wc -l <log)"
    grep -q 'cut.gguf: changed since' log || complain "the change is not in the log: $(cat log)"
    [ "$(wc -l <log)" -le 4 ] || complain "too much in the log: $(cat log)"
done

# One that was cut before it was mounted says so where everybody looks.
model sample
head -c 100000 sample.gguf >short.gguf
serve short.gguf
grep -q '^damaged: [0-9]* tensors' "$mnt/summary.txt" || complain "$(cat "$mnt/summary.txt")"
leave
serve sample.gguf
! grep -q '^damaged' "$mnt/summary.txt" || complain "a whole model is called damaged"
leave

finish
