#!/bin/sh
# SPDX-License-Identifier: MIT
# version.sh - ggfs -V: ggfs, libfuse, the sandbox and what decodes, on stdout.
. "$(dirname "$0")/lib.sh"

run 0 -V
[ ! -s error ] || complain "it says on stderr: $(cat error)"
same "lines" "ggfs libfuse sandbox kernels " "$(cut -d ' ' -f 1 out | tr '\n' ' ')"
same "fields" "2 2 2 " "$(grep -v '^sandbox' out | awk '{ print NF }' | tr '\n' ' ')"
grep -q -e '^sandbox none$' -e '^sandbox landlock [1-9][0-9]*$' out || complain "$(cat out)"
cp out first
run 0 --version
cmp out first || complain "-V and --version differ"
run 0 -V nothing -f here
GGFS_CPU=scalar "$ggfs" -V >out
same "with GGFS_CPU=scalar" "kernels scalar" "$(tail -n 1 out)"
GGFS_CPU=nothing "$ggfs" --cpu=scalar -V >out
same "the option goes first" "kernels scalar" "$(tail -n 1 out)"

finish
