#!/bin/sh
# SPDX-License-Identifier: MIT
# help.sh - options.def, --help, the manual and the completion tell the same options.
. "$(dirname "$0")/lib.sh"

def=$top_srcdir/src/fuse/options.def
man=$top_srcdir/docs/ggfs.1
run 0 --help
[ ! -s error ] || complain "--help says on stderr: $(cat error)"
same "first line" "usage: ggfs [options] MODEL MOUNTPOINT" "$(head -n 1 out)"
[ "$(awk 'length > 100' out | wc -l)" = 0 ] || complain "lines of more than 100 columns"
cp out help
run 0 -h
cmp out help || complain "-h and --help differ"

# Every option in each of the places, by its dashed form.
sed -n 's/^OWN([a-z_]*, "\([^"]*\)", "\([^"]*\)".*/\1 \2/p; s/^OWN([a-z_]*, "", "\(.*\)".*/\1/p' "$def" |
    tr ' ' '\n' | grep . | sed 's/^.$/-&/; s/^[^-].*/--&/' | sort -u >rows
grep -o -e '^  -[a-zA-Z]\>\|--[a-z-]*' help | tr -d ' ' | grep -vx -e -o -e -- | sort -u >helped
diff rows helped || complain "options.def and --help differ"
sed -n 's/^\.It Fl //p' "$man" | tr ' ' '\n' | sed -n 's/^-\(.*\)/--\1/p; s/^[a-zA-Z]$/-&/p' |
    grep -vx -e -o | sort -u >manual
diff rows manual || complain "options.def and ggfs.1 differ"

# The mount options that are libfuse's.
sed -n 's/^LIBFUSE("\([^"]*\)".*/\1/p' "$def" | sort >rows
sed -n 's/^  -o \([a-z_]*\)\>.*/\1/p' help | sort >helped
diff rows helped || complain "options of libfuse: options.def and --help differ"
while read -r option; do
    grep -q "^\.It Cm $option\$" "$man" || complain "ggfs.1 has no $option"
done <rows

command -v bash >/dev/null || finish
completed=$(bash -c '. "$1"; PATH=${2%/*}:$PATH; compopt() { :; }
    COMP_WORDS=("$2" -); COMP_CWORD=1; _ggfs; printf "%s\n" "${COMPREPLY[@]}"' \
    _ "$top_srcdir/contrib/completion/ggfs" "$ggfs" | sed 's/=$//' | grep -vx -e -o | sort)
same "completion" "$(sed -n 's/^OWN([a-z_]*, "\([^"]*\)", "\([^"]*\)".*/\1 \2/p' "$def" |
    tr ' ' '\n' | grep . | sed 's/^.$/-&/; s/^[^-].*/--&/' | sort)" "$completed"

finish
