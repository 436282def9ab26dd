#!/bin/sh
# SPDX-License-Identifier: MIT
# xattr.sh - no extended attributes, and nobody is told off for asking.
. "$(dirname "$0")/lib.sh"

need_numpy
model sample
serve sample.gguf
works "$PYTHON" - "$mnt/format" <<'PY'
import errno, os, sys
for name in "user.a", "security.selinux", "system.posix_acl_access", "security.capability":
    for again in range(2):
        try:
            os.getxattr(sys.argv[1], name)
            sys.exit("getxattr " + name + " works")
        except OSError as e:
            if e.errno not in (errno.ENOTSUP, errno.ENODATA):
                sys.exit("getxattr %s: %s" % (name, os.strerror(e.errno)))
try:
    if os.listxattr(sys.argv[1]):
        sys.exit("listxattr finds some")
except OSError as e:
    if e.errno != errno.ENOTSUP:
        sys.exit("listxattr: " + os.strerror(e.errno))
PY
same "what ls and cp say of it" "" "$(ls -l "$mnt" 2>&1 >/dev/null; cp -a "$mnt/format" copy 2>&1)"
leave

finish
