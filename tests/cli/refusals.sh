#!/bin/sh
# SPDX-License-Identifier: MIT
# refusals.sh - files that are no models: each its own sentence, status 32.
. "$(dirname "$0")/lib.sh"

model sample
mkdir mnt folder
refused() {
    sentence 32 "$2" "$1" mnt
    grep -qF "ggfs: $1: " error || complain "no file in: $(cat error)"
}
: >empty.gguf
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 4921\n' 0 >lfs.gguf
printf '<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n' >page.gguf
printf 'PK\003\004\024\000\000\000\010\000%0100d' 0 >archive.gguf
printf 'hello\n' >junk.gguf
printf 'GG' >short.gguf
printf '{"error": "Repository not found"}' >answer.gguf
printf '\177ELF\002\001\001\000' >program.gguf
awk 'BEGIN { for (i = 0; i < 171; i++) printf "\342\202\254" }' >euros.gguf
printf '\n' >line.gguf
head -c 1000 sample.gguf >cut.gguf
mkfifo fifo.gguf
refused missing.gguf 'No such file'
refused missing/model.gguf 'No such file'
refused sample.gguf/below 'Not a directory'
refused folder 'directory'
refused fifo.gguf 'FIFO'
refused /dev/null 'device'
refused empty.gguf 'empty'
refused lfs.gguf 'Git.LFS'
refused page.gguf 'HTML'
refused archive.gguf '[Zz][Ii][Pp]'
refused junk.gguf 'magic: not a model file, but text that begins with "hello"$'
refused answer.gguf 'not a model file, but text that begins with "{"error": "Repository not found""*$'
refused euros.gguf 'not a model file, but text that begins with "€€€€€€€€€€"$'
refused line.gguf 'offset 0x0: magic: not a model file'
refused program.gguf 'magic: not a model file: it begins with the bytes 7f 45 4c 46'
refused short.gguf 'offset 0x0: magic: not a model file'
refused cut.gguf 'offset 0x[0-9a-f]*: kv\[.*'
sentences=$(for f in empty lfs page archive junk fifo missing; do
    "$ggfs" $f.gguf mnt 2>&1 | sed "s/$f.gguf//"
done | sort -u | wc -l)
same "sentences of their own" 7 "$sentences"

# A name that would break the line or colour the terminal stays on its line.
odd=$(printf 'a\nb\033[31m.gguf')
sentence 32 'a\\nb\\x1b\[31m.gguf: ' "$odd" mnt

if command -v setpriv >/dev/null && [ "$(id -u)" = 0 ]; then
    chmod 0755 "$tmp"
    chmod 0777 mnt
    chmod 0600 sample.gguf
    setpriv --reuid=65534 --regid=65534 --clear-groups "$ggfs" sample.gguf mnt 2>error
    same "status for an unreadable file" 32 $?
    grep -q 'sample.gguf: .*Permission denied' error || complain "unreadable: $(cat error)"
    chmod 0644 sample.gguf
    grep -q '^user_allow_other' /etc/fuse.conf 2>/dev/null || {
        setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$ggfs" -o allow_other sample.gguf mnt 2>error
        same "status for allow_other" 32 $?
        grep -q 'user_allow_other' error || complain "allow_other: $(cat error)"
    }
fi
grep -q " $tmp" /proc/self/mounts && complain "something is mounted"

finish
