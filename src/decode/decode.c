/* SPDX-License-Identifier: MIT */
/* decode.c - ranges of a tensor: what to read, and what to say when it is not there. */
#include <config.h>

#include "decode/decode.h"

#include "base/num.h"
#include "decode/blocks.h"
#include "decode/planar.h"
#include "decode/weave.h"
#include "decode/window.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes that are read at a time. Below 64 KiB the system calls show (5 to 10 % at 32 KiB where the
 * kernel is fast), from there to 256 KiB all sizes are alike; this one leaves room for the floats
 * even in a second-level cache of 512 KiB. */
#define CHUNK (size_t)(128 * 1024)

/* Where each use of the scratch lies in it. */
#define AT_RAW 0
#define AT_PLAIN (AT_RAW + CHUNK)
#define AT_BOUNCE (AT_PLAIN + GGFS_WEAVE_PLAIN)

_Static_assert(AT_BOUNCE + GGFS_BOUNCE_BYTES == GGFS_SCRATCH_BYTES, "scratch holds all its parts");
_Static_assert(GGFS_WEAVE_RAW <= CHUNK, "woven blocks fit where plain ones do");

static uint8_t *scratch_at(const struct ggfs_scratch *scratch, size_t at)
{
    return (uint8_t *)scratch->memory + at;
}

static ggfs_kernel_fn kernel_of(const struct ggfs_tensor *tensor)
{
    if (tensor->type >= GGFS_TYPE_COUNT)
        return NULL;
    return ggfs_kernel((enum ggfs_type)ggfs_types[tensor->type].plain);
}

bool ggfs_decode_has_kernel(const struct ggfs_tensor *tensor)
{
    return kernel_of(tensor) != NULL;
}

bool ggfs_decode_can(const struct ggfs_tensor *tensor)
{
    /* The bytes of the float array must be a file's size. */
    return tensor->values <= INT64_MAX / sizeof(float) && kernel_of(tensor) &&
           !ggfs_tensor_hidden(tensor);
}

/* Says so of byte `at` of the tensor. */
static bool fail_tensor(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                        uint64_t at, const char *what, struct ggfs_err *err)
{
    char field[32], name[65];
    size_t n = ggfs_num_min(tensor->name.len, sizeof name - 1);

    if (!err || err->kind != GGFS_ERR_NONE)
        return false;
    for (size_t i = 0; i < n; i++)
        name[i] = tensor->name.ptr[i] ? tensor->name.ptr[i] : ' ';
    name[n] = '\0';
    snprintf(field, sizeof field, "tensor[%td]", tensor - model->tensors);
    snprintf(err->file, sizeof err->file, "%s", model->sources[tensor->source].path);
    at = tensor->joined ? GGFS_NO_OFFSET : tensor->offset + at;
    return ggfs_fail(err, GGFS_ERR_IO, at, field, "%s (tensor \"%s\")", what, name);
}

static bool fail_cut(const struct ggfs_model *model, const struct ggfs_tensor *tensor, uint64_t at,
                     struct ggfs_err *err)
{
    return fail_tensor(model, tensor, at, "the file ends before these bytes", err);
}

/* How much of n bytes from `first` on lies before total. */
static size_t clamp(uint64_t first, size_t n, uint64_t total)
{
    return first < total ? (size_t)ggfs_num_min(n, total - first) : 0;
}

/* A read that failed or fell short after something was got is told of by the next one, which
 * begins there. at: byte of the tensor. */
static bool finish(const struct ggfs_model *model, const struct ggfs_tensor *tensor, uint64_t at,
                   size_t got, bool ok, struct ggfs_err *err)
{
    if (got == 0 && ok)
        return fail_cut(model, tensor, at, err);
    if (got > 0 && !ok && err)
        err->kind = GGFS_ERR_NONE;
    return got > 0;
}

/* Plain layouts: blocks in the order of their values. *reached as in ggfs_weave_decode. */
static bool decode_plain(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                         uint8_t *raw, uint64_t *reached, struct ggfs_err *err)
{
    size_t unit = window->block_in, most = CHUNK / unit, have;
    uint64_t block = ggfs_window_first(window), end = ggfs_window_end(window);
    bool ok = true;

    for (; block < end; block += have) {
        size_t want = (size_t)ggfs_num_min(end - block, most);
        ok = ggfs_blocks_read(blocks, block * unit, unit, want, raw, &have, err);
        ggfs_blocks_settle(blocks, raw, have);
        ggfs_window_put(window, block, raw, have);
        if (have < want) {
            block += have;
            break;
        }
    }
    *reached = block;
    return ok;
}

/* *got floats' bytes of the window's range; false where a read failed. */
static bool decode_window(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                          size_t *got, const struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    uint8_t *raw = scratch_at(scratch, AT_RAW);
    uint64_t reached;
    bool ok;

    if (blocks->type->woven_rows == GGFS_PLANAR_ROWS)
        ok = ggfs_planar_decode(blocks, window, raw, scratch_at(scratch, AT_PLAIN), &reached, err);
    else if (blocks->type->woven_rows)
        ok = ggfs_weave_decode(blocks, window, raw, scratch_at(scratch, AT_PLAIN), &reached, err);
    else
        ok = decode_plain(blocks, window, raw, &reached, err);
    reached = ggfs_num_min(reached * window->block_out, window->end);
    *got = reached > window->first ? (size_t)(reached - window->first) : 0;
    return ok;
}

/* Byte of the tensor at which a block lies. */
static uint64_t block_at(const struct ggfs_blocks *blocks, uint64_t block)
{
    const struct ggfs_type_info *type = blocks->type;

    if (type->woven_rows == GGFS_PLANAR_ROWS)
        return ggfs_planar_at(blocks, block);
    return type->woven_rows ? ggfs_weave_at(blocks, block) : block * type->block_bytes;
}

uint64_t ggfs_decode_place(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                           uint64_t value)
{
    struct ggfs_blocks blocks;

    if (tensor->joined)
        return GGFS_NO_OFFSET;
    ggfs_blocks_init(&blocks, model, tensor);
    return tensor->offset + block_at(&blocks, value / blocks.type->block_values);
}

bool ggfs_decode_f32(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                     uint64_t first, void *dst, size_t n, size_t *got, struct ggfs_scratch *scratch,
                     struct ggfs_err *err)
{
    struct ggfs_blocks blocks;
    struct ggfs_window window;
    bool ok;

    *got = 0;
    if (!ggfs_decode_can(tensor))
        return fail_tensor(model, tensor, 0, "the values cannot be told", err);
    if (tensor->type == GGFS_TYPE_F32)
        return ggfs_decode_stored(model, tensor, first, dst, n, got, scratch, err);
    n = clamp(first, n, tensor->values * sizeof(float));
    if (n == 0)
        return true;
    ggfs_blocks_init(&blocks, model, tensor);
    ggfs_window_init(&window, kernel_of(tensor), blocks.type->block_bytes,
                     blocks.type->block_values, scratch_at(scratch, AT_BOUNCE));
    ggfs_window_set(&window, first, dst, n);
    ok = decode_window(&blocks, &window, got, scratch, err);
    return finish(model, tensor, block_at(&blocks, ggfs_window_first(&window)), *got, ok, err);
}

/* One value that the range touches in part, from byte skip of it on. */
static bool stored_edge(const struct ggfs_blocks *blocks, uint64_t at, size_t skip, uint8_t *dst,
                        size_t n, size_t *got, struct ggfs_err *err)
{
    uint8_t value[sizeof(uint64_t)];
    size_t unit = blocks->type->block_bytes, have;
    bool ok = ggfs_blocks_read(blocks, at - skip, unit, 1, value, &have, err);

    *got = have ? (size_t)ggfs_num_min(unit - skip, n) : 0;
    ggfs_blocks_settle(blocks, value, have);
    memcpy(dst, value + skip, *got);
    return ok;
}

/* Whole values, at most a chunk of them, so that they are swapped while still in the cache. */
static bool stored_whole(const struct ggfs_blocks *blocks, uint64_t at, uint8_t *dst, size_t n,
                         size_t *got, struct ggfs_err *err)
{
    size_t unit = blocks->type->block_bytes, want = ggfs_num_min(n, CHUNK) / unit, have;
    bool ok = ggfs_blocks_read(blocks, at, unit, want, dst, &have, err);

    ggfs_blocks_settle(blocks, dst, have);
    *got = have * unit;
    return ok;
}

static bool stored_swapped(const struct ggfs_blocks *blocks, uint64_t first, uint8_t *dst, size_t n,
                           size_t *got, struct ggfs_err *err)
{
    size_t unit = blocks->type->block_bytes, part = 0;
    bool ok = true;

    for (*got = 0; *got < n; *got += part) {
        uint64_t at = first + *got;
        size_t skip = (size_t)(at % unit), left = n - *got;
        if (skip || left < unit)
            ok = stored_edge(blocks, at, skip, dst + *got, left, &part, err);
        else
            ok = stored_whole(blocks, at, dst + *got, left, &part, err);
        if (part == 0)
            break;
    }
    return ok;
}

bool ggfs_decode_stored(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                        uint64_t first, void *dst, size_t n, size_t *got,
                        struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    struct ggfs_blocks blocks;
    bool ok;

    (void)scratch;
    *got = 0;
    if (tensor->type >= GGFS_TYPE_COUNT || !ggfs_types[tensor->type].npy ||
        ggfs_tensor_hidden(tensor))
        return fail_tensor(model, tensor, 0, "the values cannot be told", err);
    n = clamp(first, n, tensor->bytes);
    if (n == 0)
        return true;
    ggfs_blocks_init(&blocks, model, tensor);
    if (blocks.big)
        ok = stored_swapped(&blocks, first, dst, n, got, err);
    else
        ok = ggfs_blocks_read(&blocks, first, 1, n, dst, got, err);
    return finish(model, tensor, first, *got, ok, err);
}
