/* SPDX-License-Identifier: MIT */
/* swap.h - blocks of the other byte order into little-endian ones. */
#ifndef GGFS_DECODE_SWAP_H
#define GGFS_DECODE_SWAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No layout has more fields than Q8_K's three. */
#define GGFS_SWAP_RUNS 4

/* The `fields` of a row of types.def, parsed: words of two bytes or more only. */
struct ggfs_swap {
    struct {
        uint16_t at; /* offset in the block */
        uint16_t count;
        uint8_t width; /* 2, 4 or 8 */
    } runs[GGFS_SWAP_RUNS];
    unsigned n_runs;
    uint16_t block_bytes;
};

/* Parses fields, which must be those of a row of types.def. False where they are no such text (a
 * test asks this of every row). */
bool ggfs_swap_parse(struct ggfs_swap *swap, const char *fields);

/* Reverses the bytes of every word in n blocks, in place, at any address. */
void ggfs_swap_blocks(const struct ggfs_swap *swap, uint8_t *blocks, size_t n);

#endif
