#!/bin/sh
# SPDX-License-Identifier: MIT
# usage.sh - wrong command lines: status 1 and one sentence, whatever else is wrong.
. "$(dirname "$0")/lib.sh"

model sample
mkdir mnt
sentence 1 'no MODEL.*--help'
sentence 1 'no MOUNTPOINT.*--help' sample.gguf
sentence 1 'too many: third' sample.gguf mnt third
sentence 1 'unknown option.*--nosuch' --nosuch sample.gguf mnt
sentence 1 'unknown option.*-x' -x sample.gguf mnt
sentence 1 'unknown option --chek' --chek sample.gguf
sentence 1 'unknown option --jsn' --check --jsn sample.gguf
sentence 1 'unknown option.*nosuch' -o nosuch sample.gguf mnt
sentence 1 'unknown option.*nosuch' -o ro,nosuch,nodev missing.gguf missing
sentence 1 'missing argument' sample.gguf mnt -o
sentence 1 'auto, direct or kernel, not none' --cache=none sample.gguf mnt
sentence 1 'auto, direct or kernel, not ' -o cache= sample.gguf mnt
sentence 1 'cache takes a value, .*: cache=auto' -o cache sample.gguf mnt
sentence 1 '--cache takes a value, .*: --cache=auto' --cache direct sample.gguf mnt
sentence 1 'takes no value: --check=yes' --check=yes sample.gguf
sentence 1 'cachee=direct (did you mean --cache=auto|direct|kernel?)' --cachee=direct sample.gguf mnt
sentence 1 'alow_other.*did you mean -o allow_other?' -o ro,alow_other sample.gguf mnt
sentence 1 'cachee=direct.*did you mean --cache=' -o cachee=direct sample.gguf mnt
sentence 1 '--allow-other (did you mean -o allow_other?)' --allow-other sample.gguf mnt
sentence 1 'unknown option -check (did you mean --check?)' -check sample.gguf
sentence 1 'unknown option --nosuch; see' --nosuch sample.gguf mnt
sentence 1 'unmount it and mount again' -o ro,remount sample.gguf mnt
sentence 1 'unmount it and mount again' -o remount,user_id=0,group_id=0 sample.gguf mnt
sentence 1 'no MODEL' --check
sentence 1 'no MODEL' --check --json
sentence 1 'no mount options: .*nosuch' --check -o nosuch sample.gguf
sentence 1 'with --check' --json sample.gguf
sentence 1 'with --check' --deep sample.gguf mnt

# What only files from before GGUF may be taken for.
model old-both old.bin
model old-rwkv-100 rwkv.bin
model old-whisper whisper.bin
sentence 1 'sample.gguf: -o frame=w7 is for files from before GGUF' --frame=w7 sample.gguf mnt
sentence 1 'sample.gguf: -o layout=v3 is for files from before GGUF' -o layout=v3 sample.gguf mnt
sentence 2 'sample.gguf: -o frame=w7 is for files' --check --frame=w7 sample.gguf
sentence 1 'layout=planar: ggjt 3 files have v1, v1-type6, v2, v3, v3-64$' \
    --layout=planar old.bin mnt
sentence 1 'layout=v2: ggmf 100 files have v1, v3$' --layout=v2 rwkv.bin mnt
sentence 1 'layout=v4: ggml files have v1, .*, v3-64, planar$' --layout=v4 whisper.bin mnt
sentence 1 'frame=w7: ggmf 100 files have rwkv$' --frame=w7 rwkv.bin mnt

grep -q " $tmp" /proc/self/mounts && {
    complain "something is mounted"
    umount mnt
}

finish
