#!/bin/sh
# SPDX-License-Identifier: MIT
# anymodel.sh - mounts of random models show what another reading of the file, in Python, says.
# GGFS_SEED repeats a run, GGFS_MODELS says how many models.
. "$(dirname "$0")/lib.sh"

need_numpy
script=$top_srcdir/tests/mount/anymodel.py
seed=${GGFS_SEED:-$(date +%s)}
echo "GGFS_SEED=$seed"
i=0
while [ $i -lt "${GGFS_MODELS:-5}" ]; do
    works "$PYTHON" "$script" make $((seed + i)) model.gguf
    serve model.gguf
    works "$PYTHON" "$script" compare model.gguf "$mnt"
    works umount "$mnt"
    wait "$pid"
    same "exit status" 0 $? # some models end before their data, which the log says
    i=$((i + 1))
done

finish
