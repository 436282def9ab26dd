/* SPDX-License-Identifier: MIT */
/* arena.c - chunks of memory in a list, the newest first. */
#include <config.h>

#include "base/arena.h"

#include "base/mem.h"
#include "base/num.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct ggfs_arena_chunk {
    struct ggfs_arena_chunk *before;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

/* Small enough that a tiny model costs little, large enough that libc is asked seldom. */
#define CHUNK_BYTES (size_t)(16 * 1024)

void ggfs_arena_init(struct ggfs_arena *arena)
{
    arena->last = NULL;
    arena->bytes = 0;
}

void ggfs_arena_free(struct ggfs_arena *arena)
{
    while (arena->last) {
        struct ggfs_arena_chunk *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->bytes = 0;
}

static struct ggfs_arena_chunk *add_chunk(struct ggfs_arena *arena, size_t size,
                                          struct ggfs_err *err)
{
    struct ggfs_arena_chunk *chunk;
    size_t bytes;

    if (!ggfs_num_add_size(sizeof *chunk, size, &bytes)) {
        ggfs_fail_memory(err, size);
        return NULL;
    }
    chunk = ggfs_mem_alloc(bytes, err);
    if (!chunk)
        return NULL;
    chunk->before = arena->last;
    chunk->used = 0;
    chunk->size = size;
    arena->last = chunk;
    arena->bytes += bytes;
    return chunk;
}

void *ggfs_arena_alloc(struct ggfs_arena *arena, size_t size, struct ggfs_err *err)
{
    struct ggfs_arena_chunk *chunk = arena->last;
    size_t rounded;

    if (!ggfs_num_add_size(size, alignof(max_align_t) - 1, &rounded)) {
        ggfs_fail_memory(err, size);
        return NULL;
    }
    rounded -= rounded % alignof(max_align_t);
    if (!chunk || chunk->size - chunk->used < rounded)
        chunk = add_chunk(arena, rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES, err);
    if (!chunk)
        return NULL;
    chunk->used += rounded;
    return chunk->data + (chunk->used - rounded);
}

void *ggfs_arena_zero(struct ggfs_arena *arena, size_t count, size_t size, struct ggfs_err *err)
{
    size_t bytes;
    void *p;

    if (!ggfs_num_mul_size(count, size, &bytes)) {
        ggfs_fail_memory(err, SIZE_MAX);
        return NULL;
    }
    p = ggfs_arena_alloc(arena, bytes, err);
    return p ? memset(p, 0, bytes) : NULL;
}

char *ggfs_arena_text(struct ggfs_arena *arena, struct ggfs_str text, struct ggfs_err *err)
{
    char *copy = ggfs_arena_alloc(arena, text.len + 1, err);

    if (!copy)
        return NULL;
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}
