/* SPDX-License-Identifier: MIT */
/* blocks.c - reading blocks, never past the tensor's room. */
#include <config.h>

#include "decode/blocks.h"

#include "model/joined.h"
#include "model/model.h"

void ggfs_blocks_init(struct ggfs_blocks *blocks, const struct ggfs_model *model,
                      const struct ggfs_tensor *tensor)
{
    blocks->tensor = tensor;
    blocks->model = model;
    blocks->type = &ggfs_types[tensor->type];
    blocks->big = model->sources[tensor->source].big;
    if (blocks->big)
        ggfs_swap_parse(&blocks->swap, blocks->type->fields);
}

bool ggfs_blocks_read(const struct ggfs_blocks *blocks, uint64_t at, size_t unit, size_t want,
                      void *dst, size_t *have, struct ggfs_err *err)
{
    size_t got;

    *have = 0;
    if (!ggfs_tensor_read(blocks->model, blocks->tensor, at, dst, unit * want, &got, err))
        return false;
    *have = got == unit * want ? want : got / unit;
    return true;
}
