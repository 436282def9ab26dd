#!/bin/sh
# SPDX-License-Identifier: MIT
# cpu.sh - a set of kernels that does not exist is an error, wherever it is asked for.
. "$(dirname "$0")/lib.sh"

model sample
mkdir mnt
sentence 1 'called "nosuch".*scalar' --cpu=nosuch sample.gguf mnt
sentence 1 'called "nosuch".*scalar' -o cpu=nosuch sample.gguf mnt
sentence 1 'called ""' --cpu= sample.gguf mnt
sentence 1 'called "nosuch"' --cpu=nosuch --check sample.gguf
sentence 1 'called "nosuch"' --cpu=nosuch -V
GGFS_CPU=nosuch
export GGFS_CPU
sentence 1 'called "nosuch"' sample.gguf mnt
run 0 --help
GGFS_CPU=
run 0 -V

finish
