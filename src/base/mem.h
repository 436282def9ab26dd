/* SPDX-License-Identifier: MIT */
/* mem.h - the one place that asks libc for memory, so that a test can make it fail. */
#ifndef GGFS_BASE_MEM_H
#define GGFS_BASE_MEM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* As malloc, calloc (with the overflow check) and realloc; NULL and a filled err when there is no
 * memory. What they return is given back by free(). size 0 returns a pointer that may be freed. */
void *ggfs_mem_alloc(size_t size, struct ggfs_err *err);
void *ggfs_mem_zero(size_t count, size_t size, struct ggfs_err *err);
void *ggfs_mem_resize(void *old, size_t size, struct ggfs_err *err);

/* Tests only: the nth call from now on (from 1) and all later ones fail; 0 ends that. */
void ggfs_mem_fail_at(uint64_t nth);

#endif
