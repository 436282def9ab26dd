#!/bin/sh
# SPDX-License-Identifier: MIT
# fstab.sh - mount(8) mounts by type, with the options that it passes.
. "$(dirname "$0")/lib.sh"

command -v mount.fuse3 >/dev/null || command -v /sbin/mount.fuse3 >/dev/null || skip "no mount.fuse3"
model sample
cp sample.gguf 'a b.gguf'
# mount.fuse3 looks for ggfs in the usual places alone: in a mount namespace it is there.
mkdir bin
ln "$ggfs" bin/ggfs 2>/dev/null || cp "$ggfs" bin/ggfs
cat >inside.sh <<'IN'
set -u
tmp=$1 mnt=$1/mnt failed=0
mount --make-rprivate / && mount --bind "$tmp/bin" /usr/local/sbin || exit 77
# The copies of other tests' mounts would keep these alive.
while read -r _ place type _; do
    [ "$type" != fuse.ggfs ] || umount -l "$place"
done </proc/self/mounts
complain() {
    echo "FAILED: $*"
    failed=1
}
try() {
    if ! mount -t fuse.ggfs "$@" "$mnt" 2>"$tmp/error"; then
        complain "$*: $(cat "$tmp/error")"
        return
    fi
    [ "$(cat "$mnt/format")" = "GGUF 3 little-endian" ] || complain "$*: not readable"
    [ ! -s "$tmp/error" ] || complain "$*: said $(cat "$tmp/error")"
    grep -q " $mnt fuse.ggfs ro,nosuid,nodev" /proc/self/mounts || complain "$*: flags"
    umount "$mnt"
}
try "$tmp/sample.gguf"
try "$tmp/a b.gguf" -o ro,noatime
try "$tmp/sample.gguf" -o defaults,nofail,noauto,_netdev,x-systemd.automount,user,comment=me
try "$tmp/sample.gguf" -o relatime,lazytime,strictatime,diratime,nodiratime,iversion,silent,loud
try "$tmp/sample.gguf" -o nonempty,big_writes,use_ino,large_read,user_xattr,nosymfollow
try "$tmp/sample.gguf" -o cache=kernel,cpu=scalar,single,rw,exec,dev,suid,allow_other
echo "$tmp/sample.gguf $mnt fuse.ggfs ro,noauto,relatime 0 0" >"$tmp/fstab"
mount -T "$tmp/fstab" "$mnt" || complain "fstab"
umount "$mnt" || complain "umount"
mount -t fuse.ggfs "$tmp/missing.gguf" "$mnt" 2>"$tmp/error"
[ $? -eq 32 ] || complain "status of a missing model"
mount -t fuse.ggfs -o nosuchoption "$tmp/sample.gguf" "$mnt" 2>"$tmp/error"
[ $? -eq 1 ] || complain "status of a wrong option"
exit $failed
IN
unshare -m sh inside.sh "$tmp"
status=$?
[ $status -ne 77 ] || skip "no mount namespace of our own"
same "the tests in the namespace" 0 $status

"$ggfs" -o remount sample.gguf "$mnt" 2>error
same "status of remount" 1 $?
grep -q 'unmount' error || complain "$(cat error)"

finish
