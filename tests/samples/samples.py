#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# samples.py - a mounted sample against what its manifests say: every key, every tensor, the tables.
#
#   samples.py SAMPLES FILE MOUNT
#
# A second reading of docs/ggfs.5, written without a look at the program. The last line is
# `HELD TOTAL`; a row that does not hold is told on stderr.
import csv
import hashlib
import json
import os
import struct
import sys

import numpy as np

SCALARS = {0: ('u8', 'B'), 1: ('i8', 'b'), 2: ('u16', 'H'), 3: ('i16', 'h'), 4: ('u32', 'I'),
           5: ('i32', 'i'), 6: ('f32', 'f'), 7: ('bool', 'B'), 10: ('u64', 'Q'), 11: ('i64', 'q'),
           12: ('f64', 'd')}
WIDTH = {name: struct.calcsize('=' + code) for name, code in SCALARS.values()}
CODE = dict(SCALARS.values())
NAMES = {**{number: name for number, (name, _) in SCALARS.items()}, 8: 'str', 9: 'arr'}
NPY = {'F32': '<f4', 'F16': '<f2', 'F64': '<f8', 'I8': '|i1', 'I16': '<i2', 'I32': '<i4',
       'I64': '<i8'}


# --- names and texts, as the manual has them ---

def valid_length(data, at):
    """Bytes of the UTF-8 character at this place, or 0."""
    for n in (1, 2, 3, 4):
        try:
            if len(data[at:at + n].decode('utf-8')) == 1:
                return n
        except UnicodeDecodeError:
            pass
    return 0


def escape_name(raw):
    if raw == b'':
        return b'%'
    if raw in (b'.', b'..'):
        return raw.replace(b'.', b'%2E')
    return raw.replace(b'%', b'%25').replace(b'/', b'%2F').replace(b'\0', b'%00')


def fnv1a(raw):
    value = 0xcbf29ce484222325
    for byte in raw:
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return b'%016x' % value


def file_name(raw, repeat=1, suffix=b''):
    tail = (b'%%~%d' % repeat if repeat > 1 else b'') + suffix
    name = escape_name(raw)
    if len(name) + len(tail) <= 255:
        return name + tail
    room, end = 255 - len(tail) - 18, 0
    while end < len(name):
        step = 3 if name[end:end + 1] == b'%' else valid_length(name, end) or 1
        if end + step > room:
            break
        end += step
    return name[:end] + b'%~' + fnv1a(raw) + tail


def walk_text(raw, plain, special, odd):
    out, at = [], 0
    while at < len(raw):
        n = valid_length(raw, at)
        piece = raw[at:at + n]
        if n == 0:
            out.append(odd(raw[at]))
        elif piece in special:
            out.append(special[piece])
        elif n == 1 and (piece[0] < 0x20 or piece[0] == 0x7f):
            out.append(plain(piece[0]))
        else:
            out.append(piece)
        at += n or 1
    return b''.join(out)


LETTERS = {b'\\': b'\\\\', b'\n': b'\\n', b'\r': b'\\r', b'\t': b'\\t'}


def escape_line(raw):
    byte = lambda b: b'\\x%02x' % b
    return walk_text(raw, byte, LETTERS, byte)


def json_string(raw):
    return b'"' + walk_text(raw, lambda b: b'\\u%04x' % b, {**LETTERS, b'"': b'\\"'},
                            lambda b: b'\xef\xbf\xbd') + b'"'


def shortest(value, kind):
    if kind == 'f64':
        mantissa, _, exponent = repr(abs(value)).partition('e')
        text = np.format_float_scientific(np.float64(abs(value)), unique=True)
    else:
        text = np.format_float_scientific(np.float32(abs(value)), unique=True)
    mantissa, _, exponent = text.partition('e')
    return mantissa.replace('.', '').rstrip('0') or '0', int(exponent)


def float_text(value, kind):
    if value != value:
        return 'nan'
    sign = '-' if struct.pack('>d', value)[0] & 0x80 else ''
    if value in (float('inf'), float('-inf')):
        return sign + 'inf'
    if value == 0:
        return sign + '0'
    digits, exponent = shortest(value, kind)
    if not -4 <= exponent < 16:
        return sign + digits[0] + ('.' + digits[1:] if digits[1:] else '') + 'e%+03d' % exponent
    if exponent < 0:
        return sign + '0.' + '0' * (-exponent - 1) + digits
    whole, part = digits[:exponent + 1].ljust(exponent + 1, '0'), digits[exponent + 1:]
    return sign + whole + ('.' + part if part else '')


# --- values, read from the model file at the place that the manifest names ---

class Values:
    def __init__(self, data, big, version):
        self.data, self.order = data, '>' if big else '<'
        self.length_code = 'I' if version == 1 else 'Q'

    def number(self, code, at):
        size = struct.calcsize('=' + code)
        return struct.unpack(self.order + code, self.data[at:at + size])[0], at + size

    def value(self, kind, at):
        """(kind, value) and the place behind it; an array's value is (element kind, items)."""
        if kind == 'str':
            n, at = self.number(self.length_code, at)
            return (kind, self.data[at:at + n]), at + n
        if kind != 'arr':
            value, at = self.number(CODE[kind], at)
            return (kind, value), at
        number, at = self.number('I', at)
        n, at = self.number(self.length_code, at)
        items = []
        for _ in range(n):
            item, at = self.value(NAMES[number], at)
            items.append(item)
        return (kind, (NAMES[number], items)), at


def scalar_text(kind, value):
    if kind == 'bool':
        return b'true' if value else b'false'
    if kind in ('f32', 'f64'):
        return float_text(value, kind).encode()
    return b'%d' % value


def json_value(kind, value):
    if kind == 'str':
        return json_string(value)
    if kind == 'arr':
        return b'[' + b','.join(json_value(*item) for item in value[1]) + b']'
    text = scalar_text(kind, value)
    return b'null' if text.lstrip(b'-') in (b'inf', b'nan') else text


def key_text(kind, value):
    if kind == 'str':
        return value + b'\n'
    if kind != 'arr':
        return scalar_text(kind, value) + b'\n'
    line = {'str': lambda item: escape_line(item[1]), 'arr': lambda item: json_value(*item)}
    render = line.get(value[0], lambda item: scalar_text(*item))
    return b''.join(render(item) + b'\n' for item in value[1])


def tsv_line(name, kind, value):
    text = key_text(kind, value)
    text = text[:-1] if text.endswith(b'\n') else text
    start, points = 0, 0
    while start < len(text) and points < 60:
        start += valid_length(text, start) or 1
        points += 1
    word = 'arr[%s]' % value[0] if kind == 'arr' else kind
    count = len(value[1]) if kind == 'arr' else 1
    return b'\t'.join([escape_line(name), word.encode(), b'%d' % count, escape_line(text[:start])])


# --- the comparison ---

class Check:
    def __init__(self, folder, name, mount):
        self.mount, self.name = os.fsencode(mount), name
        self.held = self.total = 0
        with open(os.path.join(folder, name), 'rb') as model:
            self.data = model.read()
        self.file = [row for row in self.table(folder, 'files.tsv') if row['file'] == name][0]
        self.tensors = [row for row in self.table(folder, 'manifest.tsv') if row['file'] == name]
        with open(os.path.join(folder, 'metadata.jsonl'), encoding='utf-8') as lines:
            self.keys = [row for row in map(json.loads, lines) if row['file'] == name]

    @staticmethod
    def table(folder, name):
        with open(os.path.join(folder, name), encoding='utf-8', newline='') as lines:
            return list(csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE))

    def read(self, *path):
        with open(os.path.join(self.mount, *path), 'rb') as content:
            return content.read()

    def row(self, what, faults):
        """Counts a row, which holds where no fault is left."""
        faults = [fault for fault in faults if fault]
        self.total += 1
        self.held += not faults
        for fault in faults:
            print('%s: %s: %s' % (self.name, what, fault), file=sys.stderr)

    def same(self, what, got, want):
        if got != want:
            at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b),
                      min(len(got), len(want)))
            return '%s differs at %d: %r, not %r' % (what, at, got[at:at + 40], want[at:at + 40])
        return None

    def sizes(self, *path):
        full = os.path.join(self.mount, *path)
        if os.stat(full).st_size != len(self.read(*path)):
            return '%s: st_size is not the number of bytes' % full
        return None

    # metadata

    def metadata(self):
        big = self.file['endian'] == 'big'
        values = Values(self.data, big, int(self.file['version']))
        lines = self.read(b'metadata.tsv').split(b'\n')
        document, names, seen = [], [], {}
        self.values = {}
        for i, key in enumerate(self.keys):
            name = key['key'].encode()
            (kind, value), end = values.value(key['type'], key['value_offset'])
            assert end == key['value_offset'] + key['value_bytes'], key
            seen[name] = seen.get(name, 0) + 1
            file = file_name(name, seen[name])
            names.append(file)
            mark = b'%%~%d' % seen[name] if seen[name] > 1 else b''
            document.append(b'  ' + json_string(name + mark) + b': ' + json_value(kind, value))
            self.values.setdefault(name, (kind, value))
            self.row(key['key'], [
                self.same('text', self.read(b'metadata', file), key_text(kind, value)),
                self.sizes(b'metadata', file),
                self.same('tsv', lines[i + 1], tsv_line(name, kind, value))])
        text = b'{\n' + b',\n'.join(document) + (b'\n' if document else b'') + b'}\n'
        got = self.read(b'metadata.json')
        self.row('metadata.json', [
            self.same('text', got, text) if document else None,
            None if isinstance(json.loads(got), dict) else 'no object',
            self.sizes(b'metadata.json'),
            self.same('listing', os.listdir(os.path.join(self.mount, b'metadata')), names),
            self.same('lines', len(lines), len(names) + 2) if len(lines) != len(names) + 2
            else None])

    # tensors

    def tensor_name(self, row):
        name = row['name']
        return bytes.fromhex(name[4:]) if name.startswith('hex:') else json.loads(name).encode()

    def values_as_f32(self, raw):
        got = hashlib.sha256(raw).hexdigest()
        return got, raw

    def f32_fault(self, row, data):
        want = row['sha256_f32le']
        if row['nan'] not in ('0', '-', ''):
            array = np.frombuffer(data, '<u4').copy()
            array[np.isnan(array.view('<f4'))] = 0x7fc00000
            data, want = array.tobytes(), row['sha256_f32le_nancanon']
        return None if hashlib.sha256(data).hexdigest() == want else 'f32 view: other values'

    def npy_fault(self, row, path, shape, f32):
        array = np.load(os.path.join(self.mount, *path), mmap_mode='r' if 0 not in shape else None)
        dtype = NPY.get(row['type'], '<f4')
        if array.shape != shape or array.dtype != np.dtype(dtype):
            return 'npy: %s %s' % (array.shape, array.dtype)
        with np.errstate(all='ignore'):
            as_f32 = np.ascontiguousarray(array).astype('<f4').tobytes()
        return None if as_f32 == f32 or row['nan'] not in ('0', '-') else 'npy: other values'

    def tensor_row(self, row, line, entry):
        name = self.tensor_name(row)
        file, view = file_name(name), file_name(name, 1, b'.f32')
        ne = [int(n) for n in row['dims'].split('x')] if row['dims'] not in ('', '-') else []
        shape = tuple(reversed(ne))
        word = 'x'.join(map(str, shape)) or '-'
        raw = self.read(b'tensors', file)
        f32 = self.read(b'views', b'f32', view)
        tsv = [escape_line(name), row['type'].encode(), word.encode(), row['nbytes'].encode()]
        where = {'type': row['type'], 'type_id': int(row['type_id']), 'shape': list(shape),
                 'ne': ne, 'bytes': int(row['nbytes']), 'offset': int(row['abs_offset']),
                 'file': self.name, 'name': name.decode('utf-8', 'replace'),
                 'path': 'tensors/' + os.fsdecode(file)}
        self.row(os.fsdecode(name), [
            None if hashlib.sha256(raw).hexdigest() == row['sha256_raw'] else 'other raw bytes',
            self.sizes(b'tensors', file), self.sizes(b'views', b'f32', view),
            self.f32_fault(row, f32),
            self.npy_fault(row, (b'views', b'npy', file_name(name, 1, b'.npy')), shape, f32),
            self.same('tensors.tsv', line, b'\t'.join(tsv)),
            *['tensors.json: %s is %r, not %r' % (k, entry.get(k), v) for k, v in where.items()
              if entry.get(k) != v]])

    def tensor_table(self):
        lines = self.read(b'tensors.tsv').split(b'\n')
        document = json.loads(self.read(b'tensors.json'))
        names = [file_name(self.tensor_name(row)) for row in self.tensors]
        for row, line, entry in zip(self.tensors, lines[1:], document['tensors']):
            self.tensor_row(row, line, entry)
        self.row('tensors', [
            None if len(lines) == len(names) + 2 else 'tensors.tsv: %d lines' % len(lines),
            None if len(document['tensors']) == len(names) else 'tensors.json: another number',
            self.same('listing', os.listdir(os.path.join(self.mount, b'tensors')), names),
            self.sizes(b'tensors.json'), self.sizes(b'tensors.tsv')])

    # vocabulary

    def vocabulary(self):
        kind, value = self.values.get(b'tokenizer.ggml.tokens', (None, None))
        if kind != 'arr':
            return
        tokens = [item[1] for item in value[1]]
        first = {}
        for i, token in enumerate(tokens):
            first.setdefault(token, i)
        picks = range(0, len(tokens), max(1, len(tokens) // 500))
        faults = [self.same('tokens.txt', self.read(b'vocab', b'tokens.txt'),
                            self.read(b'metadata', b'tokenizer.ggml.tokens'))]
        for i in picks:
            faults += [
                self.same('token %d' % i, self.read(b'vocab', b'tokens', b'%d' % i), tokens[i]),
                self.same('id of %d' % i, self.read(b'vocab', b'ids', file_name(tokens[i])),
                          b'%d\n' % first[tokens[i]])]
        rows = self.read(b'vocab', b'vocab.tsv').split(b'\n')[1:-1]
        faults += [
            self.same('vocab.tsv', [row.split(b'\t')[3] for row in rows],
                      [escape_line(token) for token in tokens]),
            self.same('vocab.json', json.loads(self.read(b'vocab', b'vocab.json'),
                                               object_pairs_hook=lambda pairs: pairs),
                      [(token.decode('utf-8', 'replace'), i) for i, token in enumerate(tokens)])
            if all(valid_length(t, 0) for t in tokens if t) else None,
            None if len(os.listdir(os.path.join(self.mount, b'vocab', b'ids'))) == len(tokens)
            else 'ids/: another number of entries']
        for file, key, dtype in ((b'scores.f32', b'tokenizer.ggml.scores', '<f4'),
                                 (b'types.i32', b'tokenizer.ggml.token_type', '<i4')):
            if key in self.values:
                array = np.array([item[1] for item in self.values[key][1][1]], dtype)
                faults.append(self.same(file.decode(), self.read(b'vocab', file), array.tobytes()))
        if b'tokenizer.ggml.merges' in self.values:
            faults.append(self.same('merges.txt', self.read(b'vocab', b'merges.txt'),
                                    self.read(b'metadata', b'tokenizer.ggml.merges')))
        if b'tokenizer.chat_template' in self.values:
            faults.append(self.same('chat template', self.read(b'vocab', b'chat_template.jinja'),
                                    self.values[b'tokenizer.chat_template'][1]))
        self.row('vocab', faults)

    def run(self):
        word = 'GGUF %s %s-endian\n' % (self.file['version'], self.file['endian'])
        self.row('format', [self.same('format', self.read(b'format'), word.encode())])
        self.metadata()
        self.tensor_table()
        self.vocabulary()
        print(self.held, self.total)
        return 0 if self.held == self.total else 1


if __name__ == '__main__':
    sys.exit(Check(*sys.argv[1:]).run())
