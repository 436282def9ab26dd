/* SPDX-License-Identifier: MIT */
/* swap.c - byte order of blocks, by the recipe in the type's row. */
#include <config.h>

#include "decode/swap.h"

#include <string.h>

static unsigned width_of(char letter)
{
    switch (letter) {
    case 'b':
        return 1;
    case 'h':
        return 2;
    case 'w':
        return 4;
    case 'd':
        return 8;
    default:
        return 0;
    }
}

static bool add_run(struct ggfs_swap *swap, unsigned width, unsigned count)
{
    unsigned bytes = width * count;

    if (width == 0 || count == 0 || bytes > (unsigned)UINT16_MAX - swap->block_bytes)
        return false;
    if (width > 1) {
        if (swap->n_runs == GGFS_SWAP_RUNS)
            return false;
        swap->runs[swap->n_runs].at = swap->block_bytes;
        swap->runs[swap->n_runs].count = (uint16_t)count;
        swap->runs[swap->n_runs].width = (uint8_t)width;
        swap->n_runs++;
    }
    swap->block_bytes = (uint16_t)(swap->block_bytes + bytes);
    return true;
}

bool ggfs_swap_parse(struct ggfs_swap *swap, const char *fields)
{
    swap->n_runs = 0;
    swap->block_bytes = 0;
    while (*fields) {
        unsigned width = width_of(*fields++), count = 0;
        while (*fields >= '0' && *fields <= '9' && count < 1000)
            count = count * 10 + (unsigned)(*fields++ - '0');
        if (!add_run(swap, width, count))
            return false;
    }
    return swap->block_bytes > 0;
}

/* The bytes of each word of so many bits in the eight bytes x reversed. */
static inline uint64_t swapped16(uint64_t x)
{
    const uint64_t low = UINT64_C(0x00ff00ff00ff00ff);

    return (x & low) << 8 | (x >> 8 & low);
}

static inline uint64_t swapped32(uint64_t x)
{
    x = __builtin_bswap64(x);
    return x << 32 | x >> 32;
}

static inline uint64_t swapped64(uint64_t x)
{
    return __builtin_bswap64(x);
}

/* bytes of words at p, then again every stride bytes, n times. width and swapped are constants
 * wherever this is inlined. */
static inline void reverse(uint8_t *p, size_t bytes, size_t stride, size_t n, size_t width,
                           uint64_t (*swapped)(uint64_t))
{
    for (; n > 0; n--, p += stride) {
        size_t at = 0;
        uint64_t words = 0;
        for (; bytes - at >= sizeof words; at += sizeof words) {
            memcpy(&words, p + at, sizeof words);
            words = swapped(words);
            memcpy(p + at, &words, sizeof words);
        }
        for (; at < bytes; at += width) {
            memcpy(&words, p + at, width);
            words = swapped(words);
            memcpy(p + at, &words, width);
        }
    }
}

void ggfs_swap_blocks(const struct ggfs_swap *swap, uint8_t *blocks, size_t n)
{
    for (unsigned i = 0; i < swap->n_runs; i++) {
        size_t bytes = (size_t)swap->runs[i].width * swap->runs[i].count, times = n;
        uint8_t *p = blocks + swap->runs[i].at;
        /* Blocks of nothing but these words are one long row of them. */
        if (bytes == swap->block_bytes) {
            bytes *= n;
            times = n > 0;
        }
        if (swap->runs[i].width == 2)
            reverse(p, bytes, swap->block_bytes, times, 2, swapped16);
        else if (swap->runs[i].width == 4)
            reverse(p, bytes, swap->block_bytes, times, 4, swapped32);
        else
            reverse(p, bytes, swap->block_bytes, times, 8, swapped64);
    }
}
