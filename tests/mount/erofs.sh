#!/bin/sh
# SPDX-License-Identifier: MIT
# erofs.sh - nothing can be changed, also where root has remounted it for writing.
. "$(dirname "$0")/lib.sh"

need_numpy
model sample
cat >try.py <<'PY'
import errno, os, sys

base = sys.argv[1]
file, folder, new = base + "/format", base + "/tensors", base + "/new"

def opened(path, flags):
    os.close(os.open(path, flags, 0o600))

attempts = {
    "open O_WRONLY": lambda: opened(file, os.O_WRONLY),
    "open O_RDWR": lambda: opened(file, os.O_RDWR),
    "open O_RDWR|O_APPEND": lambda: opened(file, os.O_RDWR | os.O_APPEND),
    "open O_RDONLY|O_TRUNC": lambda: opened(file, os.O_RDONLY | os.O_TRUNC),
    "open O_WRONLY|O_TRUNC": lambda: opened(file, os.O_WRONLY | os.O_TRUNC),
    "create": lambda: opened(new, os.O_WRONLY | os.O_CREAT),
    "create for reading": lambda: opened(new, os.O_RDONLY | os.O_CREAT),
    "create O_EXCL": lambda: opened(new, os.O_RDWR | os.O_CREAT | os.O_EXCL),
    "create below": lambda: opened(folder + "/new", os.O_RDWR | os.O_CREAT),
    "truncate": lambda: os.truncate(file, 0),
    "chmod": lambda: os.chmod(file, 0o600),
    "chmod of a directory": lambda: os.chmod(folder, 0o700),
    "chown": lambda: os.chown(file, 1, 1),
    "utime": lambda: os.utime(file, (1, 1)),
    "utime now": lambda: os.utime(file),
    "mkdir": lambda: os.mkdir(new),
    "rmdir": lambda: os.rmdir(folder),
    "unlink": lambda: os.unlink(file),
    "rename": lambda: os.rename(file, new),
    "rename of a directory": lambda: os.rename(folder, new),
    "rename onto": lambda: os.rename(file, base + "/summary.txt"),
    "link": lambda: os.link(file, new),
    "symlink": lambda: os.symlink("format", new),
    "mkfifo": lambda: os.mkfifo(new),
    "mknod": lambda: os.mknod(new, 0o600 | 0o20000, os.makedev(1, 3)),
    "setxattr": lambda: os.setxattr(file, "user.a", b"b"),
    "removexattr": lambda: os.removexattr(file, "user.a"),
}
bad = 0
for name, attempt in attempts.items():
    try:
        attempt()
        got = "success"
    except OSError as e:
        got = errno.errorcode[e.errno]
    if got != "EROFS":
        print("FAILED: %s: %s" % (name, got))
        bad = 1
sys.exit(bad)
PY
serve sample.gguf
find "$mnt" -printf '%P %s %m %T@\n' >before
works "$PYTHON" try.py "$mnt"
# -i: without mount.fuse3, which would start ggfs to do it.
works mount -i -o remount,rw "$mnt"
grep -q " $mnt fuse.ggfs rw" /proc/self/mounts || complain "not remounted: the rest shows nothing"
works "$PYTHON" try.py "$mnt"
refuses 'Read-only' touch "$mnt/format"
refuses 'Read-only' sh -c "echo >'$mnt/format'"
refuses 'Read-only' cp sample.gguf "$mnt/tensors/"
find "$mnt" -printf '%P %s %m %T@\n' >after
works cmp before after
leave

finish
