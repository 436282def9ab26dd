# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# lib.sh - mounting for the sample tests: one mount point, undone on every exit.
ggfs=$top_builddir/ggfs
work=$(mktemp -d "${TMPDIR:-/tmp}/ggfs-samples.XXXXXX") || exit 99
mnt=$work/mnt
mkdir "$mnt"

unmount() {
    if grep -qs " $mnt fuse" /proc/self/mounts; then
        fusermount3 -u "$mnt" || fusermount3 -uz "$mnt"
    fi
}

clean_up() {
    status=$?
    unmount
    rm -rf "$work"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

skip() {
    echo "skipped: $1"
    exit 77
}

need_samples() {
    [ -n "$GGFS_SAMPLES" ] || skip "no --with-samples"
    [ -d "$GGFS_SAMPLES/$1" ] || skip "no $1/ in $GGFS_SAMPLES"
}

# Where mounts cannot work: a skip, or a failure where they must (GGFS_REQUIRE_FUSE).
need_fuse() {
    [ -x "$ggfs" ] || skip "ggfs is not built"
    if ! [ -w /dev/fuse ] || ! command -v fusermount3 >/dev/null; then
        [ -z "$GGFS_REQUIRE_FUSE" ] || { echo "/dev/fuse must work here"; exit 1; }
        skip "/dev/fuse is not usable"
    fi
}
