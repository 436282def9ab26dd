/* SPDX-License-Identifier: MIT */
/* weave.c - any range of a woven tensor, read group by group and piece of columns by piece, so that
 * a group's bytes are read once for all of its rows that the range touches.
 *
 * A group of N rows is a sequence of wide blocks, one a column of blocks:
 *
 *     d0 d1 … dN-1 | run 0 of row 0, of row 1, …, of row N-1 | run 1 of row 0, … | …
 *     2 bytes each | L bytes each, 16 / L runs
 *
 * Row r's plain block is dr, then its runs in order, each byte XORed with the type's mask. */
#include <config.h>

#include "decode/weave.h"

#include "base/num.h"
#include "model/model.h"

#include <string.h>

#define SCALE 2
#define QUANTS 16
#define PLAIN (SCALE + QUANTS)

/* rows and run are constants wherever this is inlined, so that the copies become words. */
static inline void unweave(const uint8_t *src, size_t n, uint8_t *dst, unsigned row, size_t rows,
                           size_t run, uint64_t mask)
{
    const uint8_t *scale = src + SCALE * row, *quants = src + SCALE * rows + run * row;

    for (size_t i = 0; i < n; i++) {
        memcpy(dst, scale, SCALE);
        for (size_t j = 0; j < QUANTS / run; j++) {
            uint64_t word = 0;
            memcpy(&word, quants + j * rows * run, run);
            word ^= mask;
            memcpy(dst + SCALE + j * run, &word, run);
        }
        scale += rows * PLAIN;
        quants += rows * PLAIN;
        dst += PLAIN;
    }
}

void ggfs_weave_row(const struct ggfs_type_info *type, unsigned row, const uint8_t *src, size_t n,
                    uint8_t *dst)
{
    uint64_t mask = type->woven_mask * UINT64_C(0x0101010101010101);

    if (type->woven_rows == 4 && type->woven_run == 4)
        unweave(src, n, dst, row, 4, 4, mask);
    else if (type->woven_rows == 4)
        unweave(src, n, dst, row, 4, 8, mask);
    else
        unweave(src, n, dst, row, 8, 8, mask);
}

uint64_t ggfs_weave_at(const struct ggfs_blocks *blocks, uint64_t block)
{
    uint64_t row_blocks = blocks->tensor->ne[0] / blocks->type->block_values;
    uint64_t group = block / row_blocks / blocks->type->woven_rows, column = block % row_blocks;

    return (group * row_blocks + column) * blocks->type->woven_rows * PLAIN;
}

/* What the range touches in one group: row `first` from block start on, row `last` up to block
 * stop, the rows between them whole. Rows are counted from the tensor's first. */
struct part {
    uint64_t group, first, last;
    uint64_t start, stop, row_blocks;
};

static uint64_t row_from(const struct part *part, uint64_t row)
{
    return row == part->first ? part->start : 0;
}

static uint64_t row_to(const struct part *part, uint64_t row)
{
    return row == part->last ? part->stop : part->row_blocks;
}

/* The columns that must be read next, from *column on; false at the end. Between the last column of
 * the second row and the first of the first there may be some that nobody asked for. */
static bool next_columns(const struct part *part, uint64_t *column, uint64_t *end)
{
    if (part->first == part->last) {
        if (*column < part->start)
            *column = part->start;
        *end = part->stop;
    } else if (part->first + 1 == part->last && part->stop < part->start) {
        if (*column >= part->stop && *column < part->start)
            *column = part->start;
        *end = *column < part->stop ? part->stop : part->row_blocks;
    } else {
        *end = part->row_blocks;
    }
    return *column < *end;
}

/* The rows' shares of the n wide blocks at raw, which are the group's from column on. */
static void put_rows(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                     const struct part *part, uint64_t column, size_t n, const uint8_t *raw,
                     uint8_t *plain)
{
    unsigned rows = blocks->type->woven_rows;

    for (uint64_t row = part->first; row <= part->last; row++) {
        uint64_t from = row_from(part, row), to = ggfs_num_min(row_to(part, row), column + n);
        if (from < column)
            from = column;
        if (from >= to)
            continue;
        ggfs_weave_row(blocks->type, (unsigned)(row - part->group * rows),
                       raw + (from - column) * rows * PLAIN, (size_t)(to - from), plain);
        ggfs_blocks_settle(blocks, plain, (size_t)(to - from));
        ggfs_window_put(window, row * part->row_blocks + from, plain, (size_t)(to - from));
    }
}

/* *cut: the column at which the file ends, or row_blocks. */
static bool decode_part(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                        const struct part *part, uint8_t *raw, uint8_t *plain, uint64_t *cut,
                        struct ggfs_err *err)
{
    size_t wide = (size_t)blocks->type->woven_rows * PLAIN, most = GGFS_WEAVE_RAW / wide;
    uint64_t end, group_at = part->group * part->row_blocks;

    for (*cut = 0; next_columns(part, cut, &end);) {
        size_t want = (size_t)ggfs_num_min(end - *cut, most), have;
        bool ok = ggfs_blocks_read(blocks, (group_at + *cut) * wide, wide, want, raw, &have, err);
        put_rows(blocks, window, part, *cut, have, raw, plain);
        *cut += have;
        if (have < want)
            return ok;
    }
    *cut = part->row_blocks;
    return true;
}

/* The first block of the part that a file which ends before column cut does not hold; the block
 * behind the part's last where it holds all. */
static uint64_t part_reached(const struct part *part, uint64_t cut)
{
    for (uint64_t row = part->first; row <= part->last; row++) {
        uint64_t from = row_from(part, row);
        if (from < cut)
            from = cut;
        if (from < row_to(part, row))
            return row * part->row_blocks + from;
    }
    return part->last * part->row_blocks + part->stop;
}

/* Narrows part to its group, given the last row of the whole range and where that stops. */
static void part_end(struct part *part, unsigned rows, uint64_t last, uint64_t stop)
{
    uint64_t group_last = part->group * rows + rows - 1;

    part->last = ggfs_num_min(last, group_last);
    part->stop = part->last == last ? stop : part->row_blocks;
}

bool ggfs_weave_decode(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                       uint8_t *raw, uint8_t *plain, uint64_t *reached, struct ggfs_err *err)
{
    unsigned rows = blocks->type->woven_rows;
    uint64_t block = ggfs_window_first(window), end = ggfs_window_end(window);
    struct part part = {.row_blocks = blocks->tensor->ne[0] / blocks->type->block_values};
    uint64_t last = (end - 1) / part.row_blocks, stop = end - last * part.row_blocks, cut;

    part.first = block / part.row_blocks;
    part.start = block - part.first * part.row_blocks;
    part.group = part.first / rows;
    do {
        part_end(&part, rows, last, stop);
        bool ok = decode_part(blocks, window, &part, raw, plain, &cut, err);
        *reached = part_reached(&part, cut);
        if (!ok)
            return false;
        part.group++;
        part.first = part.last + 1;
        part.start = 0;
    } while (cut == part.row_blocks && part.first <= last);
    return true;
}
