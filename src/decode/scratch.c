/* SPDX-License-Identifier: MIT */
/* scratch.c - a thread's working memory. */
#include <config.h>

#include "decode/decode.h"

#include <stdlib.h>

#define ALIGN 64

bool ggfs_scratch_init(struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    scratch->memory = aligned_alloc(ALIGN, GGFS_SCRATCH_BYTES);
    return scratch->memory || ggfs_fail_memory(err, GGFS_SCRATCH_BYTES);
}

void ggfs_scratch_free(struct ggfs_scratch *scratch)
{
    free(scratch->memory);
    scratch->memory = NULL;
}
