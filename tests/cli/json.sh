#!/bin/sh
# SPDX-License-Identifier: MIT
# json.sh - the same findings as one JSON document.
. "$(dirname "$0")/lib.sh"

"$PYTHON" -c '' 2>/dev/null || skip "no Python"
cat >compare.py <<'PY'
import json, sys
lines, document, counts = sys.argv[1:]
d = json.load(open(document, encoding="utf-8"))
text = open(lines, encoding="utf-8").read()
rows = [line.split("\t") for line in text.splitlines()]
want = [[f["file"], "0x%x" % f["offset"], f["level"], f["check"], f["text"]] for f in d["findings"]]
if rows != want:
    sys.exit("FAILED: %r\n%r" % (rows, want))
said = "errors %d, warnings %d, notes %d" % (d["errors"], d["warnings"], d["notes"])
if said not in open(counts).read():
    sys.exit("FAILED: counts: " + said)
PY
model bad-n_dims-max refused.gguf
model bad-offset-wrap wrap.gguf
for kind in sample too-large unknown-types odd-vocab tied; do
    model $kind
done
for file in *.gguf; do
    "$ggfs" --check "$file" >lines 2>counts
    status=$?
    run $status --check --json "$file"
    "$PYTHON" compare.py lines out counts || complain "$file: see above"
done
odd=$(printf 'odd\377 "name".gguf')
cp too-large.gguf "$odd"
run 1 --check --json "$odd"
"$PYTHON" -c 'import json; json.load(open("out", encoding="utf-8"))' || complain "not JSON: $odd"

finish
