#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# legacy.py - a mounted file from before GGUF against the rows of its manifests.
#
#   legacy.py SAMPLES FILE MOUNT
#
# FILE as in headers.tsv (`llama/ggjt3-q4_0.bin`); with #joined behind it, the rows of the joined
# model. A line `CONTAINER<TAB>FRAME<TAB>HELD<TAB>TOTAL` a table on stdout; a row that does not hold
# is told on stderr.
import csv
import hashlib
import json
import os
import struct
import sys

import numpy as np


def table(folder, name, key, value):
    with open(os.path.join(folder, name), newline='') as f:
        return [row for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE)
                if row[key] == value]


def unescape(name):
    out, i = bytearray(), 0
    raw = name.encode()
    while i < len(raw):
        if raw[i:i + 1] == b'%':
            out.append(int(raw[i + 1:i + 3], 16))
            i += 3
        else:
            out.append(raw[i])
            i += 1
    return bytes(out)


def file_name(name):
    return name.replace(b'%', b'%25').replace(b'/', b'%2F').replace(b'\0', b'%00') or b'%'


# What today's name is where the bytes are today's.
def type_name(layout):
    if layout.endswith('-v3') or layout.endswith('-256'):
        return layout[:layout.rindex('-')]
    return {'Q5_0-v2': 'Q5_0', 'Q5_1-v2': 'Q5_1'}.get(layout, layout)


class Check:
    def __init__(self, samples, name, mount):
        self.samples, self.name, self.mount = samples, name, os.fsencode(mount)
        self.tensors = table(samples, 'manifest.tsv', 'file', name)
        self.header = table(samples, 'headers.tsv', 'file', name.split('#')[0])[0]
        self.held = self.total = 0

    def read(self, *path):
        with open(os.path.join(self.mount, *path), 'rb') as f:
            return f.read()

    def row(self, what, faults):
        faults = [fault for fault in faults if fault]
        self.total += 1
        self.held += not faults
        if faults:
            print('%s: %s: %s' % (self.name, what, '; '.join(faults)), file=sys.stderr)

    def tell(self, what):
        print(self.header['container'], self.header['frame'], what, self.held, self.total,
              sep='\t')
        self.held = self.total = 0

    @staticmethod
    def same(what, got, want):
        return None if got == want else '%s: %r, not %r' % (what, got, want)

    def header_faults(self):
        header = self.header
        version = ' ' + header['version'] if header['version'] else ''
        faults = [self.same('format', self.read(b'format').decode(),
                            '%s%s little-endian\n' % (header['container'], version))]
        for pair in header['hparams'].split(';'):
            key, want = pair.split('=') if pair else ('', '')
            if not key:
                continue
            try:
                got = self.read(b'metadata', b'hparams.' + key.encode()).decode().rstrip('\n')
            except OSError as fault:
                faults.append(str(fault))
                continue
            same = float(got) == float(want) if '.' in want else got == want
            faults.append(None if same else 'hparams.%s: %s, not %s' % (key, got, want))
        n_tensors = len(self.read(b'tensors.tsv').split(b'\n')) - 2
        faults.append(self.same('tensors', str(n_tensors), header['n_tensors']))
        return faults + self.vocabulary_faults()

    def vocabulary_faults(self):
        header = self.header
        n = int(header['n_tokens'])
        if n == 0:
            return ['a vocabulary' if os.path.exists(os.path.join(self.mount, b'vocab')) else None]
        faults = [self.same('tokens', len(os.listdir(os.path.join(self.mount, b'vocab/tokens'))),
                            n)]
        scored = header['scores'] == 'yes'
        here = os.path.exists(os.path.join(self.mount, b'vocab/scores.f32'))
        faults.append(self.same('scores', here, scored))
        scores = self.read(b'vocab', b'scores.f32') if here else b''
        digest = hashlib.sha256()
        for i in range(n):
            token = self.read(b'vocab', b'tokens', b'%d' % i)
            digest.update(struct.pack('<I', len(token)) + token + scores[4 * i:4 * i + 4])
        faults.append(self.same('vocab_id', digest.hexdigest()[:16], header['vocab_id']))
        return faults

    # Entry and line of each tensor by name.
    def tensor_faults(self, row, entry, line):
        name = unescape(row['tensor'])
        raw = self.read(b'tensors', file_name(name))
        view = self.read(b'views', b'f32', file_name(name) + b'.f32')
        ne = [int(row['ne%d' % i]) for i in range(int(row['n_dims']))]
        shape = tuple(reversed(ne))
        npy = np.load(os.path.join(self.mount, b'views', b'npy', file_name(name) + b'.npy'))
        first = 4 * int(row['probe_index'])
        probe = bytes.fromhex(row['probe16_f32_le_hex'])
        joined = row['offset'] == '-1'
        return [
            self.same('raw', hashlib.sha256(raw).hexdigest(), row['sha256_raw']),
            self.same('f32', hashlib.sha256(view).hexdigest(), row['sha256_f32']),
            self.same('probe', view[first:first + len(probe)], probe),
            self.same('npy', npy.shape, shape),
            None if np.array_equal(npy.astype('<f4').reshape(-1).view('<u4'),
                                   np.frombuffer(view, '<u4')) else 'npy: other values',
            self.same('type', entry['type'], type_name(row['layout'])),
            self.same('type_id', entry['type_id'], int(row['type_no'])),
            self.same('ne', entry['ne'], ne),
            self.same('bytes', entry['bytes'], int(row['nbytes'])),
            self.same('offset', entry['offset'] if len(ne) > 1 or not joined else None,
                      None if joined else int(row['offset'])),
            self.same('line', line, b'\t'.join([
                name, entry['type'].encode(),
                'x'.join(map(str, shape)).encode() or b'-', row['nbytes'].encode()])),
        ]

    def run(self):
        document = json.loads(self.read(b'tensors.json'))
        lines = self.read(b'tensors.tsv').split(b'\n')[1:]
        if '#' not in self.name:
            self.row('headers.tsv', self.header_faults())
            self.tell('headers')
        for row, entry, line in zip(self.tensors, document['tensors'], lines):
            try:
                faults = self.tensor_faults(row, entry, line)
            except OSError as fault:
                faults = [str(fault)]
            self.row(row['tensor'], faults)
        if len(document['tensors']) != len(self.tensors):
            self.row('tensors', ['%d, not %d' % (len(document['tensors']), len(self.tensors))])
        self.tell('tensors')
        return 0


if __name__ == '__main__':
    sys.exit(Check(*sys.argv[1:]).run())
