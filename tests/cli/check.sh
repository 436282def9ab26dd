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

# So is one of a tensor, NUL and all.
{
    printf 'GGUF\003\000\000\000\001\000\000\000\000\000\000\000'
    head -c 8 /dev/zero
    printf '\003\000\000\000\000\000\000\000a\000b\001\000\000\000'
    printf '\010\000\000\000\000\000\000\000'
    head -c 64 /dev/zero
} >nul.gguf
"$ggfs" --check nul.gguf >out 2>error
grep -qF '(tensor "a\x00b")' out || complain "a name with NUL: $(cat out)"
"$ggfs" --check --json nul.gguf >out 2>error
grep -qF '(tensor \"a\u0000b\")' out || complain "a name with NUL as JSON: $(cat out)"

# Several: the findings and counts of each, by the path that was given, and the worst status.
mkdir a b
cp sample.gguf a/m.gguf
cp too-large.gguf b/m.gguf
cp refused.gguf b
run 0 --check a/m.gguf sample.gguf
run 1 --check b/m.gguf a/m.gguf b/refused.gguf
same "files with findings" "b/m.gguf a/m.gguf b/refused.gguf " \
    "$(cut -f 1 out | uniq | tr '\n' ' ')"
same "files with counts" "b/m.gguf a/m.gguf b/refused.gguf " \
    "$(sed -n 's/^ggfs: \(.*\): errors .*/\1/p' error | tr '\n' ' ')"
run 2 --check a/m.gguf missing.gguf b/m.gguf
same "files with findings" "a/m.gguf b/m.gguf " "$(cut -f 1 out | uniq | tr '\n' ' ')"
same "what is said of a missing one" 1 "$(grep -c '^ggfs: missing.gguf: .*No such file' error)"
[ -c /dev/full ] && {
    "$ggfs" --check b/m.gguf b/m.gguf >/dev/full 2>error
    same "status where nothing can be written" "2 1" "$? $(wc -l <error)"
}

# Each JSON document is the same as by itself.
for file in b/m.gguf a/m.gguf; do
    "$ggfs" --check --json $file 2>/dev/null
done >wanted
run 2 --check --json b/m.gguf missing.gguf a/m.gguf
cmp wanted out || complain "several JSON documents"

# A file of a model in several files is not looked at again.
model old-part=0 parts.bin
model old-part=1 parts.bin.1
run 0 --check parts.bin parts.bin.1
same "files with findings" parts.bin "$(cut -f 1 out | uniq)"
same "what is said" "ggfs: parts.bin.1: looked at with parts.bin" "$(tail -n 1 error)"

sentence 2 'No such file' --check missing.gguf
sentence 2 'directory' --check .
mkfifo fifo
sentence 2 'FIFO' --check fifo

finish
