#!/bin/sh
# SPDX-License-Identifier: MIT
# private.sh - a model that others may not read is not theirs through the mount.
. "$(dirname "$0")/lib.sh"

command -v setpriv >/dev/null || skip "no setpriv"
model sample
chmod 0711 "$tmp"
# shellcheck disable=SC2317 # by works and refuses
other() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
chmod 0600 sample.gguf
serve sample.gguf
same "mode" "-r--------" "$(stat -c %A "$mnt/format")"
refuses 'Permission denied' other ls "$mnt"
refuses 'Permission denied' other cat "$mnt/format"
leave
serve sample.gguf -o allow_other
grep " $mnt fuse.ggfs " /proc/self/mounts | grep -q default_permissions ||
    complain "no default_permissions"
refuses 'Permission denied' other cat "$mnt/format"
cat "$mnt/format" >/dev/null
refuses 'Permission denied' other cat "$mnt/format"
leave
chmod 0644 sample.gguf
serve sample.gguf -o allow_other
works other cat "$mnt/format" >/dev/null
leave
serve sample.gguf
grep " $mnt fuse.ggfs " /proc/self/mounts | grep -q default_permissions &&
    complain "default_permissions though nobody else is let in"
leave

finish
