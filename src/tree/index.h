/* SPDX-License-Identifier: MIT */
/* index.h - the names of one family (keys, tensors, tokens) in order, so that each has one distinct
 * file name and is found by it. */
#ifndef GGFS_TREE_INDEX_H
#define GGFS_TREE_INDEX_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name of item i, below the n that the index was made for. */
typedef struct ggfs_str (*ggfs_index_name_fn)(const void *context, uint32_t i);

struct ggfs_index_repeat {
    uint32_t item, repeat;
};

struct ggfs_index_hash {
    uint64_t hash;
    uint32_t item;
};

struct ggfs_index {
    ggfs_index_name_fn name;
    const void *context;
    uint32_t n;
    uint32_t *order;                   /* items by name, then by number */
    struct ggfs_index_repeat *repeats; /* second and later bearers, by item */
    uint32_t n_repeats;
    struct ggfs_index_hash *hashed; /* items whose file name may be cut, by hash, then by number */
    uint32_t n_hashed;
};

/* Sorts the names: n log n, 4 bytes an item. */
bool ggfs_index_make(struct ggfs_index *index, uint32_t n, ggfs_index_name_fn name,
                     const void *context, struct ggfs_err *err);
void ggfs_index_free(struct ggfs_index *index);

/* How many items up to and with this one bear its name, as the repeat mark counts. */
uint32_t ggfs_index_repeat(const struct ggfs_index *index, uint32_t item);

/* The file name of item with suffix; returns its length. */
size_t ggfs_index_file(const struct ggfs_index *index, uint32_t item, struct ggfs_str suffix,
                       char out[255]);

/* The item with this file name; false where there is none. */
bool ggfs_index_find(const struct ggfs_index *index, struct ggfs_str file, struct ggfs_str suffix,
                     uint32_t *item);

#endif
