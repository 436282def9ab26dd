#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh - the lints one after the other, and a line of counts.
passed=0 failed=0 skipped=0
for lint in "$@"; do
    echo "== $lint"
    "${SHELL:-/bin/sh}" "$top_srcdir/$lint"
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "failed: $lint"
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
