/* SPDX-License-Identifier: MIT */
/* types.h - the table of tensor types: names, block sizes, layouts. */
#ifndef GGFS_KERNELS_TYPES_H
#define GGFS_KERNELS_TYPES_H

#include <stdint.h>

enum ggfs_type {
#define T(id, name, values, bytes, fields, npy, rows, run, mask, plain) GGFS_TYPE_##id,
#include "kernels/types.def"
#undef T
    GGFS_TYPE_COUNT,
    GGFS_TYPE_NONE = GGFS_TYPE_COUNT, /* a number in a file that no row stands for */
};

/* One row of types.def, which explains the fields. */
struct ggfs_type_info {
    const char *name;
    const char *fields;
    const char *npy;
    uint16_t block_values;
    uint16_t block_bytes;
    uint8_t woven_rows; /* 0: rows lie one after the other */
    uint8_t woven_run;
    uint8_t woven_mask;
    uint8_t plain; /* enum ggfs_type: whose kernel decodes the (unwoven) blocks */
};

extern const struct ggfs_type_info ggfs_types[GGFS_TYPE_COUNT];

#endif
