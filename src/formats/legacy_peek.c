/* SPDX-License-Identifier: MIT */
/* legacy_peek.c - a window that moves over the file. */
#include <config.h>

#include "formats/legacy_peek.h"

#include "base/mem.h"
#include "base/num.h"
#include "model/source.h"

#include <stdlib.h>

/* Read around a place that is far from the last one: the head of a record fits. */
#define FAR_READ (size_t)4096

bool ggfs_peek_init(struct ggfs_peek *peek, const struct ggfs_source *source, struct ggfs_err *err)
{
    *peek = (struct ggfs_peek){.source = source, .err = err};
    peek->bytes = ggfs_mem_alloc(GGFS_PEEK_MOST, err);
    return peek->bytes != NULL;
}

void ggfs_peek_free(struct ggfs_peek *peek)
{
    free(peek->bytes);
    peek->bytes = NULL;
}

static bool fill(struct ggfs_peek *peek, uint64_t offset, size_t n)
{
    bool follows = offset >= peek->start && offset <= peek->start + peek->have;
    size_t want = follows ? GGFS_PEEK_MOST : n > FAR_READ ? n : FAR_READ;

    peek->start = offset;
    peek->have = 0;
    want = (size_t)ggfs_num_min(want, peek->source->size - offset);
    if (!ggfs_source_read(peek->source, offset, peek->bytes, want, &peek->have, peek->err))
        return false;
    return peek->have == want || ggfs_fail(peek->err, GGFS_ERR_IO, offset + peek->have, NULL,
                                           "became shorter while it was read");
}

const uint8_t *ggfs_peek_at(struct ggfs_peek *peek, uint64_t offset, size_t n)
{
    uint64_t size = peek->source->size;

    if (offset > size || n > size - offset || n > GGFS_PEEK_MOST)
        return NULL;
    if (offset < peek->start || offset - peek->start > peek->have ||
        n > peek->have - (size_t)(offset - peek->start)) {
        if (!fill(peek, offset, n))
            return NULL;
    }
    return peek->bytes + (offset - peek->start);
}
