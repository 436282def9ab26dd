#!/bin/sh
# SPDX-License-Identifier: MIT
# memory.sh - both processes together take less than 6 MB and three times the header.
. "$(dirname "$0")/lib.sh"

[ -z "${GGFS_SANITIZED:-}" ] || skip "the sanitizers take memory of their own"
# resident PID... - in kB, of all of them.
resident() {
    for p; do
        cat "/proc/$p/status"
    done | awk '/^VmRSS:/ { sum += $2 } END { print sum }'
}

for kind in sample vocab=150000 vocab=1000000; do
    model $kind model.gguf
    serve model.gguf
    server=$(child_of "$pid")
    # These models are little more than a header.
    allowed=$((6000 + 3 * $(stat -c %s model.gguf) / 1024))
    after_mount=$(resident "$pid" "$server")
    find "$mnt/metadata" "$mnt/tensors" "$mnt/views" -type f -exec cat {} + >/dev/null
    cat "$mnt"/*.tsv "$mnt"/*.json "$mnt"/*.txt >/dev/null
    echo "$kind: $after_mount kB, at most $allowed; after reading $(resident "$pid" "$server") kB"
    [ "$after_mount" -le $allowed ] || complain "$kind: too much memory"
    leave
done

finish
