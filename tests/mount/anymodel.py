#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# anymodel.py - models of random keys, names, values, vocabularies and tensors, and what a mount of
# one must show by a reading of its own.
#
#   anymodel.py make SEED FILE       writes the model of this seed
#   anymodel.py compare FILE MOUNT   reads everything; tells what differs, with status 1
import errno
import json
import math
import os
import random
import re
import struct
import sys

import numpy as np

TYPES = ('u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32', 'bool', 'str', 'arr', 'u64', 'i64', 'f64')
F32, BOOL, STR, ARR, U64, I64, F64 = 6, 7, 8, 9, 10, 11, 12
CODES = {0: 'B', 1: 'b', 2: 'H', 3: 'h', 4: 'I', 5: 'i', 6: 'I', 7: 'B', 10: 'Q', 11: 'q', 12: 'Q'}
INTEGERS = (0, 1, 2, 3, 4, 5, 10, 11)
NUMBERS = INTEGERS + (F32, F64)

# Tensor types: values and bytes a block, name, NumPy's name.
BLOCKS = {0: (1, 4, 'F32', '<f4'), 1: (1, 2, 'F16', '<f2'), 2: (32, 18, 'Q4_0', None),
          8: (32, 34, 'Q8_0', None), 24: (1, 1, 'I8', '|i1'), 25: (1, 2, 'I16', '<i2'),
          26: (1, 4, 'I32', '<i4'), 27: (1, 8, 'I64', '<i8'), 28: (1, 8, 'F64', '<f8'),
          30: (1, 2, 'BF16', None)}
UNKNOWN = (4, 137)

PARTS = (b'/', b'%', b'.', b'~', b'%~', b'%~2', b'\0', b'2F', b'a', b'weight', b'\xe2\x96\x81',
         b'\xf0\x9f\xa6\x99', b'\xc3', b'\n', b'\t', b'\\', b'"', b'.f32', b'\x7f', b'\xc2\x85',
         b'\xed\xa0\x80', b'\xff', b'blk.0', b' ')
BITS = {F32: (0x7f800000, 0xff800000, 0x80000000, 1, 0x00800000, 0x3dcccccd, 0x5a0e1bca),
        F64: (0x7ff << 52, 1, 1 << 52, 1 << 63, 0x3fb999999999999a, 0x4341c37937e08000)}


# --- writing ---

class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.version = rng.choice((1, 2, 3, 3))
        self.order = rng.choice('<<>')
        self.bytes = bytearray()
        self.keys = 0

    def put(self, code, *values):
        self.bytes += struct.pack(self.order + code, *values)

    def length(self, n):
        self.put('I' if self.version == 1 else 'Q', n)

    def string(self, text):
        self.length(len(text))
        self.bytes += text

    def name(self):
        most = self.rng.choice((4, 4, 4, 12, 12, 200))
        return b''.join(self.rng.choice(PARTS) for _ in range(self.rng.randrange(most)))

    def scalar(self, kind):
        if kind == STR:
            self.string(self.name() * self.rng.choice((1,) * 19 + (300,)))
            return
        bits = 8 * struct.calcsize('=' + CODES[kind])
        words = BITS.get(kind, (0, 1, (1 << bits) - 1, 1 << (bits - 1)))
        word = self.rng.choice(words + (self.rng.getrandbits(bits),))
        self.put({8: 'B', 16: 'H', 32: 'I', 64: 'Q'}[bits], word)

    def array(self, elem, n, depth=1):
        self.put('I', elem)
        self.length(n)
        for _ in range(n):
            self.value(elem, depth + 1)

    def value(self, kind, depth=1):
        if kind != ARR:
            self.scalar(kind)
            return
        elem = self.rng.randrange(len(TYPES) if depth < 7 else ARR)
        sizes = (0, 1, 2, 3, 70, 3 if elem == ARR else 3000) if depth == 1 else (0, 1, 2, 3)
        self.array(elem, self.rng.choice(sizes), depth)

    def key(self, name, kind):
        self.string(name)
        self.put('I', kind)
        self.keys += 1

    def perhaps(self, odds):
        return self.rng.random() < odds


def put_vocabulary(w):
    pick = w.rng.choice
    n = pick((0, 3, 40, 900))
    w.key(b'tokenizer.ggml.tokens', ARR)
    w.array(STR, n)
    for name in (b'scores', b'token_type'):
        if w.perhaps(.8):
            w.key(b'tokenizer.ggml.' + name, ARR)
            w.array(pick(NUMBERS + (BOOL, STR)), max(0, n + pick((0, 0, 2, -1))))
    if w.perhaps(.5):
        w.key(b'tokenizer.ggml.merges', ARR)
        w.array(pick((STR, STR, 4)), 5)


def put_special_keys(w):
    for role in (b'bos', b'eos', b'unknown', b'padding', b'seperator', b'x/y', b''):
        if w.perhaps(.4):
            kind = w.rng.choice(INTEGERS + (F32,))
            w.key(b'tokenizer.ggml.' + role + b'_token_id', kind)
            w.put(CODES[kind], w.rng.randrange(100))
    for name in (b'', b'.x', b'.a/b', b'.', b''):
        if w.perhaps(.3):
            kind = w.rng.choice((STR, STR, 4))
            w.key(b'tokenizer.chat_template' + name, kind)
            w.scalar(kind)


def tensor_size(kind, ne):
    values = math.prod(ne)
    if kind not in BLOCKS or (ne[0] if ne else 1) % BLOCKS[kind][0]:
        return values, None
    return values, values // BLOCKS[kind][0] * BLOCKS[kind][1]


def put_tensors(w, alignment, data):
    pick, names = w.rng.choice, [w.name() for _ in range(4)]
    n = w.rng.randrange(9)
    for _ in range(n):
        kind = pick(tuple(BLOCKS) + UNKNOWN)
        ne = [pick((0, 1, 2, 3, 5)) for _ in range(w.rng.randrange(5))]
        if ne and kind in BLOCKS and w.perhaps(.85):
            ne[0] *= BLOCKS[kind][0]
        size = tensor_size(kind, ne)[1]
        data += bytes(-len(data) % alignment)
        offset = len(data) + pick((0,) * 20 + (1, 4, 7))
        if w.perhaps(.04):
            offset = pick((2**63, 2**64 - 32, 10**6, 0))
        data += w.rng.randbytes(w.rng.randrange(50) if size is None else size)
        w.string(pick(names) if w.perhaps(.6) else w.name())
        w.put('I', len(ne))
        for dim in ne:
            w.length(dim)
        w.put('I', kind)
        w.put('Q', offset)
    return n


def make(seed):
    w, alignment, data = Writer(random.Random(seed)), 32, bytearray()
    for _ in range(w.rng.randrange(14)):
        kind = w.rng.randrange(len(TYPES))
        w.key(w.name(), kind)
        w.value(kind)
    if w.perhaps(.8):
        put_vocabulary(w)
    put_special_keys(w)
    if w.perhaps(.4):
        alignment = w.rng.choice((1, 2, 8, 16, 64, 512))
        w.key(b'general.alignment', 4)
        w.put('I', alignment)
    n = put_tensors(w, alignment, data)
    head = Writer(w.rng)
    head.version, head.order = w.version, w.order
    head.put('I', w.version)
    head.length(n)
    head.length(w.keys)
    whole = b'GGUF' + head.bytes + w.bytes
    whole += bytes(-len(whole) % alignment) + data
    return whole[:len(whole) - w.rng.randrange(1, 10)] if data and w.perhaps(.1) else whole


# --- reading: numbers of f32 and f64 stay words, arrays are (element type, list) ---

class Reader:
    def __init__(self, data):
        self.data, self.at, self.order = data, 4, '<'
        if self.take('I') & 0xffff == 0:
            self.order = '>'
        self.at = 4
        self.version = self.take('I')
        n_tensors, n_keys = self.length(), self.length()
        self.keys = [self.key() for _ in range(n_keys)]
        self.tensors = [self.tensor() for _ in range(n_tensors)]
        self.alignment = next((k[2] for k in self.keys if k[0] == b'general.alignment'), 32)
        self.start = -(-self.at // self.alignment) * self.alignment if n_tensors else self.at

    def take(self, code):
        value = struct.unpack_from(self.order + code, self.data, self.at)[0]
        self.at += struct.calcsize('=' + code)
        return value

    def length(self):
        return self.take('I' if self.version == 1 else 'Q')

    def string(self):
        n = self.length()
        self.at += n
        return self.data[self.at - n:self.at]

    def value(self, kind):
        if kind == STR:
            return self.string()
        if kind == ARR:
            elem, n = self.take('I'), self.length()
            return elem, [self.value(elem) for _ in range(n)]
        return self.take(CODES[kind])

    def key(self):
        name, kind = self.string(), self.take('I')
        return name, kind, self.value(kind)

    def tensor(self):
        name, n_dims = self.string(), self.take('I')
        return name, [self.length() for _ in range(n_dims)], self.take('I'), self.take('Q')


# --- texts ---

def characters(data):
    """Each character of valid UTF-8, or a byte that is none, with whether it is valid."""
    at = 0
    while at < len(data):
        for n in (1, 2, 3, 4):
            try:
                data[at:at + n].decode('utf-8')
                yield data[at:at + n], True
                break
            except UnicodeDecodeError:
                pass
        else:
            n = 1
            yield data[at:at + 1], False
        at += n


LETTERS = {b'\\': b'\\\\', b'\n': b'\\n', b'\r': b'\\r', b'\t': b'\\t'}


def escape(data):
    return b''.join(LETTERS.get(c) or (c if ok and c >= b' ' and c != b'\x7f' else
                                       b'\\x%02x' % c[0]) for c, ok in characters(data))


def json_inside(data):
    return b''.join((LETTERS.get(c) or (b'\\"' if c == b'"' else b'\\u%04x' % c[0]
                                        if c < b' ' or c == b'\x7f' else c))
                    if ok else b'\xef\xbf\xbd' for c, ok in characters(data))


def float_text(kind, word):
    if kind == F32:
        number = np.uint32(word).view(np.float32)
        digits = np.format_float_scientific(abs(number), unique=True, trim='-')
    else:
        number = np.uint64(word).view(np.float64)
        digits = '%re0' % abs(float(number))
    if not np.isfinite(number):
        return 'nan' if np.isnan(number) else '-inf' if number < 0 else 'inf'
    sign = '-' if np.signbit(number) else ''
    if number == 0:
        return sign + '0'
    mantissa, exponent = digits.split('e')[0], sum(map(int, digits.split('e')[1:]))
    whole, _, part = mantissa.partition('.')
    point = len(whole) + exponent
    stripped = (whole + part).lstrip('0')
    point -= len(whole + part) - len(stripped)
    stripped = stripped.rstrip('0')
    if not -4 < point <= 16:
        part = '.' + stripped[1:] if len(stripped) > 1 else ''
        return '%s%s%se%+03d' % (sign, stripped[0], part, point - 1)
    if point <= 0:
        return sign + '0.' + '0' * -point + stripped
    part = '.' + stripped[point:] if len(stripped) > point else ''
    return sign + stripped[:point].ljust(point, '0') + part


def scalar_text(kind, value):
    if kind == BOOL:
        return b'true' if value else b'false'
    return float_text(kind, value).encode() if kind in (F32, F64) else b'%d' % value


def json_text(kind, value):
    if kind == STR:
        return b'"' + json_inside(value) + b'"'
    if kind == ARR:
        return b'[' + b','.join(json_text(value[0], v) for v in value[1]) + b']'
    text = scalar_text(kind, value)
    return b'null' if text in (b'nan', b'inf', b'-inf') else text


def key_text(kind, value):
    if kind == STR:
        return value + b'\n'
    if kind != ARR:
        return scalar_text(kind, value) + b'\n'
    line = {STR: lambda k, v: escape(v), ARR: json_text}.get(value[0], scalar_text)
    return b''.join(line(value[0], v) + b'\n' for v in value[1])


def excerpt(text):
    return escape(b''.join(c for c, _ in list(characters(text[:-1][:400]))[:60]))


# --- names ---

def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def escaped(raw):
    if raw in (b'', b'.', b'..'):
        return [b'%2E'] * len(raw) or [b'%']
    return [{b'/': b'%2F', b'\0': b'%00', b'%': b'%25'}.get(c, c) for c, _ in characters(raw)]


def file_name(raw, repeat, suffix):
    stem, end = b'', (b'%%~%d' % repeat if repeat > 1 else b'') + suffix
    whole = b''.join(escaped(raw)) + end
    if len(whole) <= 255:
        return whole
    end = b'%%~%016x' % fnv(raw) + end
    for part in escaped(raw):
        if len(stem + part + end) > 255:
            break
        stem += part
    return stem + end


def repeats(raws):
    seen = {}
    for raw in raws:
        seen[raw] = seen.get(raw, 0) + 1
        yield raw, seen[raw]


def file_names(raws, suffix=b''):
    return [file_name(raw, n, suffix) for raw, n in repeats(raws)]


# --- what the tree must hold: bytes, or a function of path that tells what is wrong ---

def document(members):
    return b'{\n' + b',\n'.join(members) + (b'\n' if members else b'') + b'}\n'


def metadata(r):
    tree, members = {}, []
    lines = [b'#key\ttype\tcount\tvalue\n']
    names = [k[0] for k in r.keys]
    for (name, repeat), file, (_, kind, value) in zip(repeats(names), file_names(names), r.keys):
        text = key_text(kind, value)
        tree[b'metadata/' + file] = text
        mark = b'%%~%d' % repeat if repeat > 1 else b''
        # What looks like a mark is escaped as in file names.
        shown = re.sub(rb'%(?=(25)*~)', b'%25', name)
        members.append(b'  "' + json_inside(shown) + mark + b'": ' + json_text(kind, value))
        type_name = TYPES[kind] + ('[%s]' % TYPES[value[0]] if kind == ARR else '')
        count = len(value[1]) if kind == ARR else 1
        lines.append(b'%s\t%s\t%d\t%s\n' % (escape(name), type_name.encode(), count, excerpt(text)))
    tree[b'metadata.json'] = document(members)
    tree[b'metadata.tsv'] = b''.join(lines)
    order = 'big' if r.order == '>' else 'little'
    tree[b'format'] = ('GGUF %d %s-endian\n' % (r.version, order)).encode()
    return tree


def first(r, name, fits):
    found = next((k for k in r.keys if k[0] == name), None)
    return found[2] if found and found[1] == ARR and fits(found[2]) else None


def strings(value):
    return value[0] == STR or not value[1]


def numbers(value):
    return value[0] in NUMBERS


def as_number(kind, value):
    if kind in (F32, F64):
        word = np.uint32(value).view(np.float32) if kind == F32 else np.uint64(value).view(np.float64)
        return float(word)
    return value


def as_int(kind, value):
    number = as_number(kind, value)
    return 0 if number != number else int(max(-2**31, min(2**31 - 1, number)))


def as_f32(kind, value):
    exact = {U64: np.uint64, I64: np.int64}.get(kind, lambda v: v)
    return np.float32(exact(as_number(kind, value)))


def special_lines(r, tokens):
    short = {b'seperator': b'sep', b'padding': b'pad', b'unknown': b'unk'}
    for name, kind, value in r.keys:
        role = name[len(b'tokenizer.ggml.'):-len(b'_token_id')]
        if (not name.startswith(b'tokenizer.ggml.') or not name.endswith(b'_token_id') or
                not role or kind not in INTEGERS):
            continue
        token = escape(tokens[value]) if 0 <= value < len(tokens) else b''
        yield b'%s\t%d\t%s\n' % (escape(short.get(role, role)), value, token)


def vocab_lines(tokens, scores, types):
    for i, token in enumerate(tokens):
        fields = [scalar_text(a[0], a[1][i]) if a and i < len(a[1]) else b''
                  for a in (types, scores)]
        yield b'%d\t%s\t%s\t%s\n' % (i, *fields, escape(token))


def vocabulary(r):
    template = b'tokenizer.chat_template'
    templates = [k for k in r.keys if k[1] == STR and
                 (k[0] == template or k[0].startswith(template + b'.'))]
    files = file_names([k[0][len(b'tokenizer.'):] for k in templates], b'.jinja')
    tree = {b'vocab/' + file: key[2] for file, key in zip(files, templates)}
    found = first(r, b'tokenizer.ggml.tokens', strings)
    if not found:
        return tree
    tokens = found[1]
    scores = first(r, b'tokenizer.ggml.scores', numbers)
    types = first(r, b'tokenizer.ggml.token_type', numbers)
    merges = first(r, b'tokenizer.ggml.merges', strings)
    tree.update({b'vocab/tokens/%d' % i: t for i, t in enumerate(tokens)})
    tree.update({b'vocab/ids/' + f: b'%d\n' % i for i, f in enumerate(file_names(tokens))})
    tree[b'vocab/tokens.txt'] = b''.join(escape(t) + b'\n' for t in tokens)
    tree[b'vocab/vocab.tsv'] = b'#id\ttype\tscore\ttoken\n' + b''.join(
        vocab_lines(tokens, scores, types))
    tree[b'vocab/vocab.json'] = document(
        [b'  "%s": %d' % (json_inside(t), i) for i, t in enumerate(tokens)])
    tree[b'vocab/special.tsv'] = b'#role\tid\ttoken\n' + b''.join(special_lines(r, tokens))
    if merges:
        tree[b'vocab/merges.txt'] = b''.join(escape(m) + b'\n' for m in merges[1])
    if scores:
        floats = np.array([as_f32(scores[0], v) for v in scores[1]], '<f4')
        tree[b'vocab/scores.f32'] = lambda path: differs(floats, np.fromfile(path, '<f4'))
    if types:
        tree[b'vocab/types.i32'] = struct.pack('<%di' % len(types[1]),
                                               *(as_int(types[0], v) for v in types[1]))
    return tree


class Tensor:
    def __init__(self, r, name, ne, kind, offset):
        places = {t[3] + r.start for t in r.tensors} | {len(r.data)}
        self.name, self.ne, self.kind, self.big = name, ne, kind, r.order == '>'
        self.at = offset + r.start
        past = self.at >= len(r.data)
        self.room = 0 if past else min(p for p in places if p > self.at) - self.at
        self.values, size = tensor_size(kind, ne)
        self.bytes = self.room if size is None else size
        self.hidden = size is None or size > self.room or (size > 0 and past)
        self.data = r.data[self.at:self.at + min(self.bytes, self.room)]
        if self.at >= 2**64:
            self.at = None

    def native(self, code):
        return np.frombuffer(self.data, '>' + code if self.big else '<' + code)

    def quants(self):
        blocks = np.frombuffer(self.data, np.uint8).reshape(-1, BLOCKS[self.kind][1])
        scale = np.ascontiguousarray(blocks[:, :2]).view('>f2' if self.big else '<f2')
        if self.kind == 8:
            quants = blocks[:, 2:].view(np.int8)
        else:
            quants = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(int) - 8
        return (quants.astype('<f4') * scale.astype('<f4')).reshape(-1)

    def floats(self):
        if BLOCKS[self.kind][3]:
            return self.native(BLOCKS[self.kind][3][1:]).astype('<f4')
        if self.kind == 30:
            return (self.native('u2').astype('<u4') << 16).view('<f4')
        return self.quants()

    def check_stored(self, path):
        with open(path, 'rb') as file:
            got, stat = b'', os.fstat(file.fileno())
            try:
                while chunk := os.pread(file.fileno(), 65536, len(got)):
                    got += chunk
                status = 0
            except OSError as error:
                status = error.errno
        if stat.st_size != self.bytes or stat.st_blocks != -(-len(self.data) // 512):
            return 'size %d, %d blocks' % (stat.st_size, stat.st_blocks)
        if status != (errno.EIO if len(self.data) < self.bytes else 0):
            return 'errno %d' % status
        whole = len(self.data) == self.bytes
        return None if (got == self.data if whole else self.data.startswith(got)) else 'bytes'

    def check_f32(self, path):
        return differs(self.floats(), np.fromfile(path, '<f4'))

    def check_npy(self, path):
        stored = BLOCKS[self.kind][3]
        array = np.load(path)
        if array.dtype.str != (stored or '<f4') or list(array.shape) != self.ne[::-1]:
            return '%s %s' % (array.dtype, array.shape)
        wanted = self.native(stored[1:]).astype(stored) if stored else self.floats()
        return differs(wanted, array.reshape(-1))


def differs(wanted, got):
    if len(wanted) != len(got):
        return '%d values, not %d' % (len(got), len(wanted))
    same = wanted.tobytes() == got.tobytes() or np.all(
        (wanted.view('u%d' % wanted.itemsize) == got.view('u%d' % got.itemsize)) |
        (np.isnan(wanted) & np.isnan(got)))
    return None if same else 'values'


def tensors(r):
    all_of = [Tensor(r, *t) for t in r.tensors]
    names = [t.name for t in all_of]
    tree = {b'tensors/' + f: t.check_stored for f, t in zip(file_names(names), all_of)}
    for suffix in (b'f32', b'npy'):
        for file, t in zip(file_names(names, b'.' + suffix), all_of):
            if not t.hidden:
                check = t.check_f32 if suffix == b'f32' else t.check_npy
                tree[b'views/%s/%s' % (suffix, file)] = check
    lines = [b'%s\t%s\t%s\t%d\n' % (
        escape(t.name), (BLOCKS[t.kind][2] if t.kind in BLOCKS else 'type%d' % t.kind).encode(),
        'x'.join(map(str, t.ne[::-1])).encode() or b'-', t.bytes) for t in all_of]
    tree[b'tensors.tsv'] = b'#name\ttype\tshape\tbytes\n' + b''.join(lines)
    tree[b'tensors.json'] = lambda path: check_json(path, all_of)
    return tree


def check_json(path, all_of):
    with open(path, encoding='utf-8') as file:
        told = json.load(file)['tensors']
    wanted = [{'name': json.loads(b'"%s"' % json_inside(t.name)), 'type_id': t.kind,
               'ne': t.ne, 'shape': t.ne[::-1], 'bytes': t.bytes, 'offset': t.at} for t in all_of]
    return None if [{k: t[k] for k in wanted[0]} for t in told] == wanted or not wanted + told \
        else 'members'


def check(path, wanted):
    """What is wrong with a file, or None."""
    if callable(wanted):
        return wanted(path)
    with open(path, 'rb') as file:
        got = file.read()
    if len(got) != os.stat(path).st_size:
        return 'size'
    return None if got == wanted else 'wanted %.300r, got %.300r' % (wanted, got)


def listed(mount):
    for folder, _, files in os.walk(mount):
        for file in files:
            yield os.path.relpath(os.path.join(folder, file), mount)


def compare(data, mount):
    r = Reader(data)
    tree = {**metadata(r), **vocabulary(r), **tensors(r)}
    told, got = [], set(listed(mount)) - {b'README.txt', b'summary.txt'}
    for path in sorted(got ^ set(tree)):
        told.append('%r is %s' % (path, 'missing' if path in tree else 'too many'))
    for path in sorted(got & set(tree)):
        wrong = check(os.path.join(mount, path), tree[path])
        if wrong:
            told.append('%r: %s' % (path, wrong))
    return told


def main():
    np.seterr(all='ignore')
    if sys.argv[1] == 'make':
        with open(sys.argv[3], 'wb') as file:
            file.write(make(int(sys.argv[2])))
        return 0
    with open(sys.argv[2], 'rb') as file:
        told = compare(file.read(), os.fsencode(sys.argv[3]))
    for line in told[:10]:
        print(line)
    return 1 if told else 0


if __name__ == '__main__':
    sys.exit(main())
