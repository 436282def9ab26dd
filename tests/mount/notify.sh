#!/bin/sh
# SPDX-License-Identifier: MIT
# notify.sh - a service manager hears when the mount stands.
. "$(dirname "$0")/lib.sh"

need_numpy
model sample
cat >listen.py <<'PY'
import os, socket, subprocess, sys
name, ggfs, model, mnt = sys.argv[1:]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("\0" + name[1:] if name[0] == "@" else name)
s.settimeout(10)
p = subprocess.Popen([ggfs, "-f", model, mnt], env=dict(os.environ, NOTIFY_SOCKET=name))
message = s.recv(4096)
ready = os.path.exists(mnt + "/format")
p.terminate()
if p.wait() != 0 or message.strip() != b"READY=1" or not ready:
    sys.exit("FAILED: %r, status %d" % (message, p.returncode))
PY
works "$PYTHON" listen.py "$tmp/socket" "$ggfs" sample.gguf "$mnt"
works "$PYTHON" listen.py "@ggfs-test-$$" "$ggfs" sample.gguf "$mnt"
NOTIFY_SOCKET=$tmp/nobody
export NOTIFY_SOCKET
"$ggfs" -f sample.gguf "$mnt" 2>log &
pid=$!
pids="$pids $pid"
eventually is_mounted_or_gone
works umount "$mnt"
works wait "$pid"

finish
