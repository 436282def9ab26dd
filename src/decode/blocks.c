/* SPDX-License-Identifier: MIT */
/* blocks.c - reading blocks, never past the tensor's room. */
#include <config.h>

#include "decode/blocks.h"

#include "base/num.h"
#include "model/model.h"

void ggfs_blocks_init(struct ggfs_blocks *blocks, const struct ggfs_model *model,
                      const struct ggfs_tensor *tensor)
{
    blocks->tensor = tensor;
    blocks->source = &model->sources[tensor->source];
    blocks->type = &ggfs_types[tensor->type];
    blocks->big = blocks->source->big;
    if (blocks->big)
        ggfs_swap_parse(&blocks->swap, blocks->type->fields);
}

bool ggfs_blocks_read(const struct ggfs_blocks *blocks, uint64_t at, size_t unit, size_t want,
                      void *dst, size_t *have, struct ggfs_err *err)
{
    uint64_t room = blocks->tensor->room;
    size_t n = (size_t)ggfs_num_min(unit * want, room > at ? room - at : 0), got;

    *have = 0;
    if (!ggfs_source_read(blocks->source, blocks->tensor->offset + at, dst, n, &got, err))
        return false;
    *have = got == unit * want ? want : got / unit;
    return true;
}
