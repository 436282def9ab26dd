#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh - findings: lines, counts, statuses.
. "$(dirname "$0")/lib.sh"

model sample
model too-large
model unknown-types
model header-only
model bad-n_dims-max refused.gguf
: >empty.gguf

# checked STATUS MODEL
checked() {
    run "$1" --check "$2"
    same "lines on stderr for $2" 1 "$(wc -l <error)"
    grep -q "^ggfs: $2: errors [0-9]*, warnings [0-9]*, notes [0-9]*\$" error ||
        complain "counts: $(cat error)"
    for level in error warning note; do
        same "${level}s of $2" "$(cut -f 3 out | grep -c "^$level\$")" \
            "$(sed "s/.*${level}s \([0-9]*\).*/\1/" error)"
    done
    bad=$(awk -F '\t' -v file="$2" 'NF != 5 || $1 != file || $2 !~ /^0x[0-9a-f]+$/ ||
        $3 !~ /^(error|warning|note)$/ || $4 !~ /^[a-z][a-z_-]*$/ || $5 == ""' out)
    [ -z "$bad" ] || complain "$2: malformed: $bad"
}
checked 0 sample.gguf
checked 1 too-large.gguf
grep -q '	error	room	tensor\[' out || complain "no finding about room: $(cat out)"
checked 1 unknown-types.gguf
grep -q '	warning	type	tensor\[' out || complain "no finding about a type: $(cat out)"
checked 1 header-only.gguf
checked 1 refused.gguf
grep -q '^refused.gguf	0x5f	error	format	tensor\[0\].n_dims: ' out || complain "$(cat out)"
checked 1 empty.gguf
grep -q '	0x0	error	format	' out || complain "$(cat out)"

# Of a model in several files, it is the wrong one that is named.
{
    printf 'GGUF\003\000\000\000'
    printf '\000\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000'
    printf '\013\000\000\000\000\000\000\000split.count\000\000\000\000\002'
} >x-00001-of-00002.gguf
printf 'GGUF\011\000\000\000' >x-00002-of-00002.gguf
run 1 --check x-00001-of-00002.gguf
grep -q '^x-00002-of-00002.gguf	0x4	error	format	version: ' out || complain "$(cat out)"

# A name on the terminal is one line, whatever is in it.
newline=$(printf 'a\nb')
cp sample.gguf "$newline"
run 0 --check "$newline"
same "lines about a name with a newline" 1 "$(wc -l <error)"
grep -qF 'ggfs: a\nb: errors 0' error || complain "the name is not escaped: $(cat error)"

sentence 2 'No such file' --check missing.gguf
sentence 2 'directory' --check .
mkfifo fifo
sentence 2 'FIFO' --check fifo

finish
