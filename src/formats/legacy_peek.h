/* SPDX-License-Identifier: MIT */
/* legacy_peek.h - looking at small pieces of a large file, here and there, without reading what
 * lies between. */
#ifndef GGFS_FORMATS_LEGACY_PEEK_H
#define GGFS_FORMATS_LEGACY_PEEK_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ggfs_source;

/* The most that one look may ask for. */
#define GGFS_PEEK_MOST (size_t)(64 * 1024)

struct ggfs_peek {
    const struct ggfs_source *source;
    struct ggfs_err *err;
    uint8_t *bytes; /* from malloc */
    uint64_t start; /* in the file */
    size_t have;
};

bool ggfs_peek_init(struct ggfs_peek *peek, const struct ggfs_source *source, struct ggfs_err *err);
void ggfs_peek_free(struct ggfs_peek *peek);

/* n bytes from offset on, until the next look. NULL where the file does not hold them, or where a
 * read failed, which err tells. */
const uint8_t *ggfs_peek_at(struct ggfs_peek *peek, uint64_t offset, size_t n);

#endif
