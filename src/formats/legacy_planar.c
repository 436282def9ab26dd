/* SPDX-License-Identifier: MIT */
/* legacy_planar.c - telling planar rows from blocks, which have the same size and no mark: one
 * reading of the scales gives numbers that scales can be, the other gives quants. */
#include <config.h>

#include "base/num.h"
#include "formats/legacy_build.h"
#include "model/model.h"

#include <math.h>

/* Rows that are looked at. */
#define ROWS 64

struct tally {
    uint64_t plausible, seen;
};

/* What a scale or a minimum of a real weight may be; scales of that time were never negative. */
static void look(struct tally *tally, const uint8_t *p, bool positive)
{
    float value = ggfs_num_f32(ggfs_num_u32(p, false));
    float size = fabsf(value);
    bool good = isfinite(value) && (size == 0 || (size >= 1e-20f && size <= 1e6f));

    tally->seen++;
    tally->plausible += good && !(positive && signbit(value));
}

/* Both readings of one row of nb blocks. False where it cannot be read. */
static bool look_at_row(struct ggfs_legacy_build *build, uint64_t row, uint64_t nb, bool with_m,
                        struct tally *block, struct tally *planar)
{
    unsigned unit = with_m ? 24 : 20;

    for (uint64_t i = 0; i < nb; i++) {
        const uint8_t *p = ggfs_peek_at(build->peek, row + unit * i, with_m ? 8 : 4);
        if (!p)
            return false;
        look(block, p, true);
        if (with_m)
            look(block, p + 4, false);
    }
    for (uint64_t i = 0; i < nb; i++) {
        const uint8_t *p = ggfs_peek_at(build->peek, row + 4 * i, 4);
        if (!p)
            return false;
        look(planar, p, !with_m);
    }
    for (uint64_t i = 0; with_m && i < nb; i++) {
        const uint8_t *p = ggfs_peek_at(build->peek, row + 4 * nb + 4 * i, 4);
        if (!p)
            return false;
        look(planar, p, true);
    }
    return true;
}

static int look_at_tensor(struct ggfs_legacy_build *build, const struct ggfs_tensor *tensor)
{
    bool with_m = tensor->type == GGFS_TYPE_Q4_1_V1;
    uint64_t nb = tensor->ne[0] / 32, row_bytes = nb * (with_m ? 24 : 20);
    uint64_t rows = ggfs_num_min(tensor->room / row_bytes, ROWS);
    struct tally block = {0, 0}, planar = {0, 0};

    for (uint64_t i = 0; i < rows; i++)
        if (!look_at_row(build, tensor->offset + i * row_bytes, nb, with_m, &block, &planar))
            return -1;
    if (block.seen == 0)
        return -1;
    return planar.plausible > block.plausible;
}

int ggfs_legacy_planar(struct ggfs_legacy_build *build, uint8_t type)
{
    const struct ggfs_model *model = build->model;

    for (uint32_t i = 0; i < model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        if (tensor->type == type && tensor->ne[0] >= 64 && tensor->ne[0] % 32 == 0)
            return look_at_tensor(build, tensor);
    }
    return -1;
}
