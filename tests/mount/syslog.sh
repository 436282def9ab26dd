#!/bin/sh
# SPDX-License-Identifier: MIT
# syslog.sh - in the background messages go to syslog, out of the sandbox, with whole paths.
. "$(dirname "$0")/lib.sh"

need_numpy
[ "$(id -u)" = 0 ] || skip "only root can have a /dev/log of its own"
model sample
mkdir dev sub
cat >inside.sh <<'IN'
mount --make-rprivate / && mount -t tmpfs -o dev none dev && mknod dev/fuse c 10 229 &&
    mknod -m 0666 dev/null c 1 3 && ln -s "$PWD/socket" dev/log && mount --bind dev /dev || exit 77
while read -r _ place type _; do
    [ "$type" != fuse.ggfs ] || umount -l "$place"
done </proc/self/mounts
exec "$PYTHON" listen.py "$@"
IN
cat >listen.py <<'PY'
import os, signal, socket, subprocess, sys
ggfs, cache, mnt = sys.argv[1:]
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("socket")
log.settimeout(10)
def wanted(*words):
    line = log.recv(8192).decode()
    if not all(w in line for w in words):
        sys.exit("FAILED: wanted %r, got %r" % (words, line))
    return line
os.chdir("sub")
subprocess.check_call([ggfs, "-o", "cache=" + cache, "../sample.gguf", mnt])
os.chdir("..")
os.utime("sample.gguf", (1, 1))
open(mnt + "/format").read()
line = wanted("ggfs[", os.getcwd() + "/sample.gguf: changed since")
server = int(line.split("[")[1].split("]")[0])
os.kill(server, signal.SIGKILL)
wanted("ggfs[", mnt + ": the server was killed by signal 9 (Killed)")
PY
export PYTHON
unshare -m sh inside.sh "$ggfs" "$cache" "$mnt"
status=$?
[ $status -ne 77 ] || skip "no mount namespace of our own"
same "what syslog heard" 0 $status

finish
