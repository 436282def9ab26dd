/* SPDX-License-Identifier: MIT */
/* window.c - whole blocks straight to the reader, the others by way of a small buffer. */
#include <config.h>

#include "decode/window.h"

#include "base/num.h"

#include <string.h>

void ggfs_window_init(struct ggfs_window *window, ggfs_kernel_fn kernel, size_t block_in,
                      size_t block_values, void *bounce)
{
    window->kernel = kernel;
    window->block_in = block_in;
    window->block_out = block_values * sizeof(float);
    window->bounce = bounce;
}

void ggfs_window_set(struct ggfs_window *window, uint64_t first, void *dst, size_t n)
{
    window->dst = dst;
    window->first = first;
    window->end = first + n;
    window->direct = ggfs_num_div_up(first, window->block_out);
    window->direct_end = window->end / window->block_out;
    if (((uintptr_t)dst - (uintptr_t)first) % _Alignof(float) != 0)
        window->direct_end = window->direct;
}

uint64_t ggfs_window_first(const struct ggfs_window *window)
{
    return window->first / window->block_out;
}

uint64_t ggfs_window_end(const struct ggfs_window *window)
{
    return ggfs_num_div_up(window->end, window->block_out);
}

/* Floats from byte `at` of the float array on, as far as they lie in the range. */
static void copy_part(const struct ggfs_window *window, uint64_t at, size_t bytes)
{
    uint64_t from = at > window->first ? at : window->first;
    uint64_t to = ggfs_num_min(at + bytes, window->end);

    if (from < to)
        memcpy(window->dst + (from - window->first), (char *)window->bounce + (from - at),
               (size_t)(to - from));
}

static void put_bounced(const struct ggfs_window *window, uint64_t block, const uint8_t *src,
                        size_t n)
{
    size_t most = GGFS_BOUNCE_BYTES / window->block_out;

    while (n > 0) {
        size_t part = n < most ? n : most;
        window->kernel(window->bounce, src, part);
        copy_part(window, block * window->block_out, part * window->block_out);
        block += part;
        src += part * window->block_in;
        n -= part;
    }
}

static size_t blocks_until(uint64_t block, uint64_t end, size_t n)
{
    return end > block ? (size_t)ggfs_num_min(end - block, n) : 0;
}

void ggfs_window_put(const struct ggfs_window *window, uint64_t block, const uint8_t *src, size_t n)
{
    size_t head = blocks_until(block, window->direct, n);
    size_t middle = blocks_until(block + head, window->direct_end, n - head);
    uint64_t at = (block + head) * window->block_out;

    if (head)
        put_bounced(window, block, src, head);
    src += head * window->block_in;
    if (middle)
        window->kernel((float *)(void *)(window->dst + (at - window->first)), src, middle);
    src += middle * window->block_in;
    put_bounced(window, block + head + middle, src, n - head - middle);
}
