/* SPDX-License-Identifier: MIT */
/* planar.c - any range of a planar tensor, brought into plain blocks piece by piece.
 *
 * A row of nb blocks is a plane a field, in this order (the minimum stands before the scale here,
 * and behind it in a block):
 *
 *     Q4_0-planar   d f32[nb] | q byte[nb][16]
 *     Q4_1-planar   m f32[nb] | d f32[nb] | q byte[nb][16] */
#include <config.h>

#include "decode/planar.h"

#include "base/num.h"
#include "decode/weave.h"
#include "model/joined.h"
#include "model/model.h"

#include <string.h>

#define PLANES 3

/* A field: its bytes, and where they stand in a plain block. */
struct plane {
    uint8_t bytes, at;
};

static const struct plane q4_0[PLANES] = {{4, 0}, {16, 4}};
static const struct plane q4_1[PLANES] = {{4, 4}, {4, 0}, {16, 8}};

static const struct plane *planes_of(const struct ggfs_blocks *blocks)
{
    return blocks->tensor->type == GGFS_TYPE_Q4_0_PLANAR ? q4_0 : q4_1;
}

/* Blocks in a row as it was written: that of a part, where parts are joined to longer ones. */
static uint64_t row_blocks(const struct ggfs_blocks *blocks)
{
    const struct ggfs_joined *joined = blocks->tensor->joined;
    uint64_t n = blocks->tensor->ne[0] / blocks->type->block_values;

    return joined && joined->how == GGFS_JOIN_COLUMNS ? n / joined->n : n;
}

/* n blocks from column on of the row that begins at byte row of the tensor, as plain ones. *have:
 * how many of them are there in all planes. */
static bool read_plain(const struct ggfs_blocks *blocks, uint64_t row, uint64_t column, size_t n,
                       uint8_t *raw, uint8_t *plain, size_t *have, struct ggfs_err *err)
{
    const struct plane *planes = planes_of(blocks);
    size_t unit = blocks->type->block_bytes;
    uint64_t start = row, nb = row_blocks(blocks);
    bool ok = true;

    *have = n;
    for (size_t i = 0; i < PLANES && planes[i].bytes && ok; i++) {
        const struct plane *plane = &planes[i];
        size_t got;
        ok = ggfs_blocks_read(blocks, start + column * plane->bytes, plane->bytes, *have, raw, &got,
                              err);
        for (size_t j = 0; j < got; j++)
            memcpy(plain + j * unit + plane->at, raw + j * plane->bytes, plane->bytes);
        *have = got;
        start += nb * plane->bytes;
    }
    return ok;
}

bool ggfs_planar_decode(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                        uint8_t *raw, uint8_t *plain, uint64_t *reached, struct ggfs_err *err)
{
    size_t unit = blocks->type->block_bytes, most = GGFS_WEAVE_PLAIN / unit, have;
    uint64_t nb = row_blocks(blocks), end = ggfs_window_end(window);

    for (*reached = ggfs_window_first(window); *reached < end; *reached += have) {
        uint64_t row = *reached / nb, column = *reached % nb;
        size_t want = (size_t)ggfs_num_min(ggfs_num_min(nb - column, end - *reached), most);
        bool ok = read_plain(blocks, row * nb * unit, column, want, raw, plain, &have, err);
        if (!ok)
            return false;
        ggfs_blocks_settle(blocks, plain, have);
        ggfs_window_put(window, *reached, plain, have);
        if (have < want) {
            *reached += have;
            break;
        }
    }
    return true;
}

uint64_t ggfs_planar_at(const struct ggfs_blocks *blocks, uint64_t block)
{
    uint64_t nb = row_blocks(blocks), unit = blocks->type->block_bytes;
    unsigned quants = blocks->type->woven_run;

    return block / nb * nb * unit + nb * (unit - quants) + block % nb * quants;
}
