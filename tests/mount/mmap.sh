#!/bin/sh
# SPDX-License-Identifier: MIT
# mmap.sh - every file can be mapped, private and shared, and shows what read shows.
. "$(dirname "$0")/lib.sh"

need_numpy
model sample
model large
for kind in sample large; do
    serve $kind.gguf
    works "$PYTHON" - "$mnt" <<'PY'
import mmap, os, sys
for where, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(where, name)
        with open(path, "rb") as f:
            size = os.fstat(f.fileno()).st_size
            for flags in (mmap.MAP_SHARED, mmap.MAP_PRIVATE) if size else ():
                with mmap.mmap(f.fileno(), 0, flags, mmap.PROT_READ) as m:
                    if m[:] != open(path, "rb").read():
                        sys.exit("FAILED: %s differs when mapped" % path)
PY
    leave
done

finish
