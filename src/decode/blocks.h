/* SPDX-License-Identifier: MIT */
/* blocks.h - a tensor's blocks, from the file into working memory, in little-endian order. */
#ifndef GGFS_DECODE_BLOCKS_H
#define GGFS_DECODE_BLOCKS_H

#include "base/err.h"
#include "decode/swap.h"
#include "kernels/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ggfs_model;
struct ggfs_tensor;

struct ggfs_blocks {
    const struct ggfs_tensor *tensor;
    const struct ggfs_model *model;
    const struct ggfs_type_info *type;
    struct ggfs_swap swap;
    bool big;
};

/* For tensors of a known type only. */
void ggfs_blocks_init(struct ggfs_blocks *blocks, const struct ggfs_model *model,
                      const struct ggfs_tensor *tensor);

/* want units of unit bytes each from byte `at` of the tensor on, as the file has them. *have < want
 * where the file, or the tensor's room, ends earlier. */
bool ggfs_blocks_read(const struct ggfs_blocks *blocks, uint64_t at, size_t unit, size_t want,
                      void *dst, size_t *have, struct ggfs_err *err);

/* Brings n blocks that were read into little-endian order. */
static inline void ggfs_blocks_settle(const struct ggfs_blocks *blocks, uint8_t *p, size_t n)
{
    if (blocks->big)
        ggfs_swap_blocks(&blocks->swap, p, n);
}

#endif
