#!/bin/sh
# SPDX-License-Identifier: MIT
# gguf.sh - every handed GGUF file through a real mount against its manifests.
. "$top_srcdir/tests/samples/lib.sh"
need_samples gguf
need_fuse
[ -n "$PYTHON" ] || skip "no Python with NumPy"

# A shard is held to its own rows, so it must open as itself.
options=
"$ggfs" --help | grep -q nosplit && options="-o nosplit"

held=0 total=0 status=0
for model in "$GGFS_SAMPLES"/gguf/*.gguf; do
    name=${model##*/}
    # shellcheck disable=SC2086
    if ! "$ggfs" $options "$model" "$mnt"; then
        echo "$name: does not mount"
        status=1
        rows=$(cut -f1 "$GGFS_SAMPLES/gguf/manifest.tsv" | grep -cxF "$name")
        total=$((total + rows + 1))
        continue
    fi
    counts=$("$PYTHON" "$top_srcdir/tests/samples/samples.py" "$GGFS_SAMPLES/gguf" "$name" \
        "$mnt" 2>"$work/faults" | tail -n 1)
    head -n 20 "$work/faults"
    case $counts in
    *[0-9]" "[0-9]*)
        held=$((held + ${counts% *}))
        total=$((total + ${counts#* }))
        [ "${counts% *}" -eq "${counts#* }" ] || status=1
        echo "$name: ${counts% *} of ${counts#* }"
        ;;
    *)
        echo "$name: not compared"
        status=1
        ;;
    esac
    unmount
done
echo "rows held $held of $total"
exit "$status"
