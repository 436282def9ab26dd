#!/bin/sh
# SPDX-License-Identifier: MIT
# user.sh - the same for a user who is not root, by way of fusermount3.
. "$(dirname "$0")/lib.sh"

for tool in setpriv fusermount3 unshare; do
    command -v $tool >/dev/null || skip "no $tool"
done
[ "$(id -u)" = 0 ] || skip "only root can become another user"
# Without it fusermount3 unmounts for root only.
[ -e /etc/mtab ] || skip "no /etc/mtab"
model sample
chmod 0755 "$tmp"
cp "$ggfs" ggfs
chmod 0600 sample.gguf
chown 65534:65534 sample.gguf mnt
mkdir roots dev
cat >inside.sh <<'IN'
set -u
# A /dev/fuse that everybody may open, in a mount namespace of our own.
mount --make-rprivate / && mount -t tmpfs -o dev none dev && mknod dev/fuse c 10 229 &&
    chmod 0666 dev/fuse && mount --bind dev/fuse /dev/fuse || exit 77
# The copies of other tests' mounts would keep these alive.
while read -r _ place type _; do
    [ "$type" != fuse.ggfs ] || umount -l "$place"
done </proc/self/mounts
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}
user() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
user true 2>/dev/null || exit 77
# refused STATUS WORDS ARGUMENT...
refused() {
    wanted=$1 words=$2
    shift 2
    user ./ggfs "$@" >said 2>&1
    [ $? -eq "$wanted" ] || complain "status of $*: $(cat said)"
    [ "$(wc -l <said)" -eq 1 ] && grep -q "^ggfs: .*$words" said || complain "$*: $(cat said)"
}
user ./ggfs sample.gguf mnt >said 2>&1 || complain "status $?"
[ ! -s said ] || complain "said: $(cat said)"
grep -q " $PWD/mnt fuse.ggfs ro,nosuid,nodev" /proc/self/mounts || complain "no mount"
[ "$(user cat mnt/format)" = "GGUF 3 little-endian" ] || complain "cannot read"
cat mnt/format 2>/dev/null && complain "root may read, without allow_root"
refused 32 already sample.gguf mnt
user fusermount3 -u mnt || complain "cannot unmount"

# A server that is killed: its caretaker unmounts, by way of fusermount3 too.
user ./ggfs "$PWD/sample.gguf" "$PWD/mnt" || complain "status $?"
# It bears its name a moment after the mount is there.
kill_server() {
    for comm in /proc/[0-9]*/comm; do
        line=
        { read -r line <"$comm"; } 2>/dev/null
        [ "$line" = ggfs-server ] && grep -q "$PWD/mnt" "${comm%/comm}/cmdline" || continue
        comm=${comm%/comm}
        user kill -KILL "${comm##*/}" && return 0
    done
    return 1
}
tries=0
until kill_server || [ $tries -ge 500 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
tries=0
while grep -q " $PWD/mnt fuse.ggfs" /proc/self/mounts && [ $tries -lt 500 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
[ $tries -lt 500 ] || complain "a killed server of a user leaves its mount"
refused 32 'may not write' sample.gguf roots
grep -q '^user_allow_other' /etc/fuse.conf 2>/dev/null ||
    refused 32 user_allow_other -o allow_other sample.gguf mnt
umount /dev/fuse
chmod 0600 dev/fuse
mount --bind dev/fuse /dev/fuse
refused 32 '/dev/fuse: Permission denied' sample.gguf mnt
grep -q " $PWD/mnt " /proc/self/mounts && complain "something is left"
exit $failed
IN
unshare -m sh inside.sh
status=$?
[ $status -ne 77 ] || skip "no mount namespace of our own"
same "the tests in the namespace" 0 $status

finish
