#!/bin/sh
# SPDX-License-Identifier: MIT
# units.sh - systemd understands the units of contrib/systemd.
cd "$top_srcdir" || exit 99
command -v systemd-analyze >/dev/null || exit 77
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
ggfs=$(cd "$top_builddir" && pwd)/ggfs
for unit in contrib/systemd/*; do
    # Where ggfs is not installed, the one that was built stands for it.
    sed "s|=ggfs |=$ggfs |" "$unit" >"$work/${unit##*/}"
done
export XDG_RUNTIME_DIR="$work"
systemd-analyze verify --user --man=no "$work/ggfs@.service" 2>&1 &&
    systemd-analyze verify --man=no "$work/srv-models-llama.mount" 2>&1
