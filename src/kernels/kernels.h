/* SPDX-License-Identifier: MIT */
/* kernels.h - little-endian blocks to float32, by the fastest code that this CPU can run. */
#ifndef GGFS_KERNELS_KERNELS_H
#define GGFS_KERNELS_KERNELS_H

#include "kernels/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes nblocks plain little-endian blocks, which lie one after the other at src (any address),
 * to block_values floats each at dst (aligned for float). nblocks may be 0. Reads nothing behind
 * the last block, writes nothing behind the last value. */
typedef void (*ggfs_kernel_fn)(float *dst, const uint8_t *src, size_t nblocks);

struct ggfs_kernel_set {
    const char *name;                   /* `scalar`, `avx2`, … as in GGFS_CPU */
    uint32_t needs;                     /* enum ggfs_cpu bits, all of them */
    ggfs_kernel_fn fn[GGFS_TYPE_COUNT]; /* NULL: this set has no better one */
};

/* Weakest first, NULL behind the last; sets[0] is scalar. */
extern const struct ggfs_kernel_set *const ggfs_kernel_sets[];

/* Chooses for every type the function of the strongest set that the CPU can run and that is not
 * above limit (NULL: no limit). False where limit is no set's name. Call once before any thread;
 * until then there are no kernels. */
bool ggfs_kernels_init(const char *limit);

/* The chosen function for type, or NULL where there is none (woven types: ask for their plain
 * type). type may be GGFS_TYPE_NONE. */
ggfs_kernel_fn ggfs_kernel(enum ggfs_type type);

/* Name of the strongest set in use. */
const char *ggfs_kernels_name(void);

#endif
