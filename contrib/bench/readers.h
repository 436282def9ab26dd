/* SPDX-License-Identifier: MIT */
/* readers.h - threads that read a file the way programs do. */
#ifndef GGFS_BENCH_READERS_H
#define GGFS_BENCH_READERS_H

#include "meter.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum manner {
    MANNER_SEQUENTIAL, /* read(2) from front to back, each reader a part of its own */
    MANNER_RANDOM,     /* pieces at random multiples of the piece, READERS_RANDOM in all */
    MANNER_MAPPED,     /* a new shared mapping, each byte once */
};

#define READERS_RANDOM UINT64_C(16384)
#define READERS_MOST 8

struct readers {
    const char *path;
    struct range range; /* of the file */
    enum manner manner;
    size_t piece;
    unsigned count;
};

/* Opens and prepares, then measures the reading alone. meter->daemons is the caller's. */
bool readers_run(const struct readers *readers, struct meter *meter);

/* Makes the kernel forget what it keeps of a file. */
bool readers_forget(const char *path);

#endif
