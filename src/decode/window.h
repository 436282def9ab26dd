/* SPDX-License-Identifier: MIT */
/* window.h - the range of a tensor's float array that a reader asked for, filled block by block. */
#ifndef GGFS_DECODE_WINDOW_H
#define GGFS_DECODE_WINDOW_H

#include "kernels/kernels.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of floats that are decoded beside the reader's memory at a time, where blocks lie in the
 * range in part only or where its floats are not aligned: half of a usual first-level cache. */
#define GGFS_BOUNCE_BYTES (size_t)(16 * 1024)

struct ggfs_window {
    ggfs_kernel_fn kernel;
    uint8_t *dst;
    uint64_t first, end;         /* the range, in bytes of the float array */
    uint64_t direct, direct_end; /* blocks that the kernel may write to dst itself */
    size_t block_in, block_out;  /* bytes of a block, and of its floats */
    float *bounce;               /* GGFS_BOUNCE_BYTES */
};

/* kernel decodes blocks of the given sizes; the range must not be empty. */
void ggfs_window_init(struct ggfs_window *window, ggfs_kernel_fn kernel, size_t block_in,
                      size_t block_values, void *bounce);
void ggfs_window_set(struct ggfs_window *window, uint64_t first, void *dst, size_t n);

/* First block that the range touches, and the one behind the last. */
uint64_t ggfs_window_first(const struct ggfs_window *window);
uint64_t ggfs_window_end(const struct ggfs_window *window);

/* Decodes n plain blocks at src, which are number block and following of the tensor; what lies
 * outside the range is dropped. */
void ggfs_window_put(const struct ggfs_window *window, uint64_t block, const uint8_t *src,
                     size_t n);

#endif
