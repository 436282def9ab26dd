#!/bin/sh
# SPDX-License-Identifier: MIT
# streams.sh - output that cannot be written is an error, not silence.
. "$(dirname "$0")/lib.sh"

model sample
[ -c /dev/full ] || skip "no /dev/full"
for arguments in --help --version "--check sample.gguf" "--check --json sample.gguf"; do
    # shellcheck disable=SC2086
    "$ggfs" $arguments >/dev/full 2>error
    status=$?
    case $arguments:$status in
    "--check sample.gguf:0") [ ! -s out ] || complain "nothing to write, yet: $(cat error)" ;;
    *:2) grep -q '^ggfs: .*writ' error || complain "$arguments: $(cat error)" ;;
    *) complain "status of $arguments: $status" ;;
    esac
done
"$ggfs" --help >&- 2>error <&-
same "status with stdout closed" 0 $?

finish
