/* SPDX-License-Identifier: MIT */
/* shard.h - the names of a split model's files, NAME-00001-of-00003.gguf and so on. */
#ifndef GGFS_FORMATS_SHARD_H
#define GGFS_FORMATS_SHARD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* A shard's path taken apart. */
struct ggfs_shard {
    struct ggfs_str before; /* up to -NNNNN-of-NNNNN.gguf */
    uint32_t number, count; /* number from 1 to count */
};

/* False where path is no shard's. */
bool ggfs_shard_parse(const char *path, struct ggfs_shard *name);

/* The path of another shard of the same model. */
char *ggfs_shard_path(struct ggfs_arena *arena, const struct ggfs_shard *name, uint32_t number,
                      struct ggfs_err *err);

/* For a path that does not exist: the first shard, where there is PATH-00001-of-NNNNN.gguf. False
 * where there is none, or (with a filled err) where several counts fit. */
bool ggfs_shard_first(const char *path, char out[PATH_MAX], struct ggfs_err *err);

#endif
