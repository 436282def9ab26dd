/* SPDX-License-Identifier: MIT */
/* types.c - types.def as an array. */
#include <config.h>

#include "kernels/types.h"

#include <stddef.h>

const struct ggfs_type_info ggfs_types[GGFS_TYPE_COUNT] = {
#define T(id, name_, values, bytes, fields_, npy_, rows, run, mask, plain_) \
    [GGFS_TYPE_##id] = {.name = name_,                                      \
                        .fields = fields_,                                  \
                        .npy = npy_,                                        \
                        .block_values = values,                             \
                        .block_bytes = bytes,                               \
                        .woven_rows = rows,                                 \
                        .woven_run = run,                                   \
                        .woven_mask = mask,                                 \
                        .plain = GGFS_TYPE_##plain_},
#include "kernels/types.def"
#undef T
};
