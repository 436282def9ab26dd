#!/bin/sh
# SPDX-License-Identifier: MIT
# numpy.sh - NumPy reads views: whole, by memmap, private and shared.
. "$(dirname "$0")/lib.sh"

need_numpy
model large
serve large.gguf
works "$PYTHON" - "$mnt" large.gguf <<'PY'
import mmap, sys
import numpy as np

mnt, path = sys.argv[1:]
model = open(path, "rb").read()

def check(what, good):
    if not good:
        sys.exit("FAILED: " + what)

def q4_0(raw):
    b = np.frombuffer(raw, np.uint8).reshape(-1, 18)
    d = b[:, :2].copy().view("<f2").astype(np.float32)
    low, high = (b[:, 2:] & 15).astype(np.int8) - 8, (b[:, 2:] >> 4).astype(np.int8) - 8
    return (np.concatenate([low, high], 1).astype(np.float32) * d).ravel()

def q8_0(raw):
    b = np.frombuffer(raw, np.uint8).reshape(-1, 34)
    d = b[:, :2].copy().view("<f2").astype(np.float32)
    return (b[:, 2:].view(np.int8).astype(np.float32) * d).ravel()

def bits(a):
    a = a.copy()
    a[np.isnan(a)] = np.nan
    return a.tobytes()

decoders = {
    "f32": lambda raw: np.frombuffer(raw, "<f4"),
    "odd": lambda raw: np.frombuffer(raw, "<f4"),
    "f16": lambda raw: np.frombuffer(raw, "<f2").astype(np.float32),
    "q4_0": q4_0, "q8_0": q8_0,
}
for name, decode in decoders.items():
    raw = open(mnt + "/tensors/" + name, "rb").read()
    check(name + " is in the model", raw in model)
    want = decode(raw)
    view = mnt + "/views/f32/" + name + ".f32"
    check(name + " fromfile", bits(np.fromfile(view, "<f4")) == bits(want))
    check(name + " memmap", bits(np.memmap(view, "<f4", "r")) == bits(want))
    check(name + " memmap private", bits(np.memmap(view, "<f4", "c")) == bits(want))
    npy = mnt + "/views/npy/" + name + ".npy"
    for mode in None, "r", "c":
        a = np.load(npy, mmap_mode=mode)
        check("%s load %s" % (name, mode), bits(a.astype("<f4").ravel()) == bits(want))
    check(name + " stored type", a.dtype == ("<f2" if name == "f16" else "<f4"))
    for flags in mmap.MAP_SHARED, mmap.MAP_PRIVATE:
        with open(mnt + "/tensors/" + name, "rb") as f:
            with mmap.mmap(f.fileno(), 0, flags, mmap.PROT_READ) as m:
                check("%s raw mmap %d" % (name, flags), m[:] == raw)
a = np.load(mnt + "/views/npy/q4_0.npy", mmap_mode="r")
check("shape", a.shape == (2000, 4096))
check("a row by itself", (a[1234] == q4_0(open(mnt + "/tensors/q4_0", "rb").read())
                          .reshape(2000, 4096)[1234]).all())
PY
leave

finish
