/* SPDX-License-Identifier: MIT */
/* names.h - from the names in a model to file names and back (tree.md, "Names"). */
#ifndef GGFS_TREE_NAMES_H
#define GGFS_TREE_NAMES_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GGFS_NAMES_MAX 255

/* FNV-1a, 64 bits. */
uint64_t ggfs_names_hash(struct ggfs_str raw);

/* Length of raw escaped: `/`, NUL and `%` as %XX; `.`, `..` and the empty name have forms of their
 * own. */
size_t ggfs_names_escaped_length(struct ggfs_str raw);

/* True where raw escaped, its repeat mark (repeat from 2 on has one) and suffix exceed 255 bytes,
 * so that the file name is cut and carries the hash. */
bool ggfs_names_is_long(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix);

/* The file name of the repeat-th bearer (from 1) of raw, without a NUL behind it; returns its
 * length, at most 255. */
size_t ggfs_names_file(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix,
                       char out[GGFS_NAMES_MAX]);

/* A file name taken apart. It is a candidate only: the name that it leads to, made again by
 * ggfs_names_file, must be the same bytes. */
struct ggfs_names_parts {
    bool hashed;
    uint64_t hash;   /* where hashed */
    uint32_t repeat; /* from 1 */
    size_t raw_len;  /* where not hashed: the name before the escape */
    char raw[GGFS_NAMES_MAX];
};

/* False where file (at most 255 bytes) can be no name of this suffix. */
bool ggfs_names_parse(struct ggfs_str file, struct ggfs_str suffix, struct ggfs_names_parts *parts);

#endif
