#!/bin/sh
# SPDX-License-Identifier: MIT
# manual.sh - mandoc over the manual pages.
cd "$top_srcdir" || exit 99
command -v mandoc >/dev/null || exit 77
status=0
for page in docs/*.[1-8]; do
    [ -f "$page" ] || continue
    # Cross references to pages of other packages are fine.
    if mandoc -T lint -W warning "$page" | grep -v 'referenced manual not found'; then
        status=1
    fi
done
exit "$status"
