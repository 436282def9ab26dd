/* SPDX-License-Identifier: MIT */
/* joined.c - reading a tensor's bytes, from one file or pieced together from several. */
#include <config.h>

#include "model/joined.h"

#include "base/num.h"
#include "model/model.h"

/* A run of bytes that lie together in one part. */
struct run {
    uint32_t part;
    uint64_t at;   /* byte of the part */
    uint64_t left; /* bytes from there on that follow each other in the tensor too */
};

static struct run find_run(const struct ggfs_joined *joined, uint64_t at)
{
    uint64_t piece = joined->how == GGFS_JOIN_ROWS ? joined->bytes : joined->row_bytes;
    uint64_t number = at / piece, within = at % piece;
    struct run run = {.part = (uint32_t)(number % joined->n), .left = piece - within};

    run.at = number / joined->n * piece + within;
    return run;
}

static bool read_joined(const struct ggfs_model *model, const struct ggfs_joined *joined,
                        uint64_t at, uint8_t *dst, size_t n, size_t *got, struct ggfs_err *err)
{
    while (*got < n) {
        struct run run = find_run(joined, at + *got);
        const struct ggfs_part *part = &joined->parts[run.part];
        size_t want = (size_t)ggfs_num_min(n - *got, run.left), part_got;
        bool ok = ggfs_source_read(&model->sources[part->source], part->offset + run.at, dst + *got,
                                   want, &part_got, err);
        *got += part_got;
        if (!ok || part_got < want)
            return ok;
    }
    return true;
}

bool ggfs_tensor_read(const struct ggfs_model *model, const struct ggfs_tensor *tensor, uint64_t at,
                      void *dst, size_t n, size_t *got, struct ggfs_err *err)
{
    *got = 0;
    if (at >= tensor->room)
        return true;
    n = (size_t)ggfs_num_min(n, tensor->room - at);
    if (tensor->joined)
        return read_joined(model, tensor->joined, at, dst, n, got, err);
    return ggfs_source_read(&model->sources[tensor->source], tensor->offset + at, dst, n, got, err);
}

/* Byte of the tensor at which byte `at` of a part lies. */
static uint64_t place_of(const struct ggfs_joined *joined, uint32_t part, uint64_t at)
{
    uint64_t piece = joined->how == GGFS_JOIN_ROWS ? joined->bytes : joined->row_bytes;

    return (at / piece * joined->n + part) * piece + at % piece;
}

uint64_t ggfs_joined_room(const struct ggfs_joined *joined)
{
    uint64_t room = joined->bytes * joined->n;

    for (uint32_t i = 0; i < joined->n; i++)
        if (joined->parts[i].room < joined->bytes)
            room = ggfs_num_min(room, place_of(joined, i, joined->parts[i].room));
    return room;
}
