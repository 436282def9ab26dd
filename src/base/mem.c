/* SPDX-License-Identifier: MIT */
/* mem.c - memory from libc, with a hook that lets tests refuse it. */
#include <config.h>

#include "base/mem.h"

#include "base/num.h"

#include <stdatomic.h>
#include <stdlib.h>

/* 0: off; else the number of calls until the first refusal, 1 being the next. */
static _Atomic uint64_t countdown;

static bool refused(void)
{
    if (atomic_load(&countdown) == 0)
        return false;
    if (atomic_load(&countdown) == 1)
        return true;
    atomic_fetch_sub(&countdown, 1);
    return false;
}

void ggfs_mem_fail_at(uint64_t nth)
{
    atomic_store(&countdown, nth);
}

void *ggfs_mem_alloc(size_t size, struct ggfs_err *err)
{
    return ggfs_mem_resize(NULL, size, err);
}

void *ggfs_mem_zero(size_t count, size_t size, struct ggfs_err *err)
{
    size_t bytes;
    void *p = NULL;

    if (!ggfs_num_mul_size(count, size, &bytes))
        bytes = SIZE_MAX;
    else if (!refused())
        p = calloc(1, bytes ? bytes : 1);
    if (!p)
        ggfs_fail_memory(err, bytes);
    return p;
}

void *ggfs_mem_resize(void *old, size_t size, struct ggfs_err *err)
{
    void *p = refused() ? NULL : realloc(old, size ? size : 1);

    if (!p)
        ggfs_fail_memory(err, size);
    return p;
}
