#!/bin/sh
# SPDX-License-Identifier: MIT
# deep.sh - --check --deep: the same findings and those of the values; it ends when told to.
. "$(dirname "$0")/lib.sh"

for kind in sample sample-be too-large unknown-types tied dims; do
    model $kind
    run "$("$ggfs" --check $kind.gguf >plain 2>/dev/null; echo $?)" --check --deep $kind.gguf
    grep -v '	values	' out | cmp - plain || complain "$kind: --deep changes other findings"
    "$ggfs" --check --deep --json $kind.gguf >json 2>/dev/null
    same "findings of $kind as JSON" "$(wc -l <out)" "$(grep -c '"check":' json)"
done

# Eight floats at offset 64, of which the second becomes a NaN.
model no-keys nan.gguf
run 0 --check --deep nan.gguf
printf '\377\377\377\377' | dd of=nan.gguf bs=4 seek=17 conv=notrunc 2>/dev/null
run 1 --check --deep nan.gguf
grep -q '	0x44	warning	values	tensor\[0\]\.data: 1 NaN and 0 infinite values of 8' out ||
    complain "no NaN: $(cat out)"
run 0 --check nan.gguf

# A hundred gigabytes would take minutes.
command -v timeout >/dev/null || finish
model big
timeout -k 10 -s INT 1 "$ggfs" --check --deep big.gguf >out 2>error
same "status of timeout" 124 $?

finish
