#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib.sh - contrib/try and contrib/check tell what they are for, and quote what they advise.
. "$(dirname "$0")/lib.sh"

# Whatever goes wrong, nothing is installed and nothing built.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/apt-get
chmod +x bin/apt-get
PATH=$tmp/bin:$PATH
GGFS_BUILD=$tmp/bin/apt-get/build
export GGFS_BUILD

for script in try check; do
    for option in -h --help; do
        "$top_srcdir/contrib/$script" $option >out 2>error </dev/null
        same "status of $script $option" 0 $?
        same "first word of $script $option" "$script" "$(head -n 1 out | cut -d " " -f 1)"
        grep -q "^  contrib/$script" out || complain "no usage: $(cat out)"
        [ ! -s error ] || complain "$script $option says on stderr: $(cat error)"
    done
done
"$top_srcdir/contrib/try" one >out 2>error
same "status of try with one argument" 1 $?
grep -q 'MODEL MOUNTPOINT' error || complain "$(cat error)"

top=$top_srcdir # for setup.sh
. "$top/contrib/setup.sh"
# shellcheck disable=SC1003
set -- "a b" "it's" '*' 'a\' "" plain/1.gguf
same "quoted" "'a b' 'it'\\''s' '*' 'a\\' '' plain/1.gguf" "$(words "$@")"
eval "set -- $(words "$@") end"
same "and back" "a b,it's,*,a\\,,plain/1.gguf,end" "$1,$2,$3,$4,$5,$6,$7"

finish
