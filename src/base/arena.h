/* SPDX-License-Identifier: MIT */
/* arena.h - memory that is given out piece by piece and given back all at once. */
#ifndef GGFS_BASE_ARENA_H
#define GGFS_BASE_ARENA_H

#include "base/err.h"
#include "base/str.h"

#include <stddef.h>

struct ggfs_arena {
    struct ggfs_arena_chunk *last;
    size_t bytes; /* asked from libc so far */
};

void ggfs_arena_init(struct ggfs_arena *arena);

/* Gives everything back; the arena is empty afterwards and may be used again. */
void ggfs_arena_free(struct ggfs_arena *arena);

/* size bytes, aligned for any type, not cleared; NULL and a filled err without memory. */
void *ggfs_arena_alloc(struct ggfs_arena *arena, size_t size, struct ggfs_err *err);

/* count * size bytes of zeros; the product is checked. */
void *ggfs_arena_zero(struct ggfs_arena *arena, size_t count, size_t size, struct ggfs_err *err);

/* A copy of text with a NUL behind it. */
char *ggfs_arena_text(struct ggfs_arena *arena, struct ggfs_str text, struct ggfs_err *err);

#endif
