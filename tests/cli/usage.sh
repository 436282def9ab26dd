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
sentence 1 'unknown option' -o cache sample.gguf mnt
sentence 1 'unmount it and mount again' -o ro,remount sample.gguf mnt
sentence 1 'unmount it and mount again' -o remount,user_id=0,group_id=0 sample.gguf mnt
sentence 1 'no MODEL' --check
sentence 1 'no mount point: mnt' --check sample.gguf mnt
sentence 1 'no mount options: .*nosuch' --check -o nosuch sample.gguf
sentence 1 'with --check' --json sample.gguf
sentence 1 'with --check' --deep sample.gguf mnt

finish
