#!/bin/sh
# SPDX-License-Identifier: MIT
# summary.sh - counts the results in automake's .trs files: `N passed, N failed, N skipped`.
passed=0 failed=0 skipped=0
for trs in "$@"; do
    result=$(sed -n 's/^:global-test-result: *//p' "$trs" 2>/dev/null)
    case $result in
    PASS | XFAIL) passed=$((passed + 1)) ;;
    SKIP) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "failed: ${trs%.trs}"
        ;;
    esac
done
if [ "$failed" -eq 0 ] && [ "$passed" -eq 0 ]; then
    echo "no test ran"
    failed=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
