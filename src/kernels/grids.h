/* SPDX-License-Identifier: MIT */
/* grids.h - the number tables that are part of the IQ and fp4 formats. */
#ifndef GGFS_KERNELS_GRIDS_H
#define GGFS_KERNELS_GRIDS_H

#include <stdint.h>

/* By index, values in output order. Zero until ggfs_grids_expand. */
struct ggfs_grids {
    _Alignas(64) int8_t iq1[2048][8];
    int8_t iq2xxs[256][8];
    int8_t iq2xs[512][8];
    int8_t iq2s[1024][8];
    int8_t iq3xxs[256][4];
    int8_t iq3s[512][4];
    uint8_t signs[128]; /* 7 sign bits with the eighth, their parity */
};

extern struct ggfs_grids ggfs_grids;

/* By 4-bit code. */
extern const int8_t ggfs_grids_iq4nl[16];
extern const int8_t ggfs_grids_fp4[16]; /* doubled */

/* Call once, before any kernel. */
void ggfs_grids_expand(void);

#endif
