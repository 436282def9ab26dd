/* SPDX-License-Identifier: MIT */
/* grids.h - the number tables that are part of the IQ and fp4 formats. */
#ifndef GGFS_KERNELS_GRIDS_H
#define GGFS_KERNELS_GRIDS_H

#include <stdint.h>

/* Entries by index, as digits: value j of an entry of eight is digit (entry >> 2 * j & 3), value j
 * of an entry of four (entry >> ggfs_grids_iq3_shift[j] & 7), each through the table of its format
 * below. All is zero until ggfs_grids_expand. */
struct ggfs_grids {
    uint16_t iq1[2048];
    uint16_t iq2xxs[256];
    uint16_t iq2xs[512];
    uint16_t iq2s[1024];
    uint16_t iq3xxs[256];
    uint16_t iq3s[512];
    /* The same once more: all low bytes, then all high ones. */
    _Alignas(64) uint8_t iq2xxs_bytes[2][256];
    uint8_t iq2xs_bytes[2][512];
    uint8_t iq2s_bytes[2][1024];
    uint8_t iq3xxs_bytes[2][256];
    uint8_t iq3s_bytes[2][512];
    /* Entries of iq1 by index and, as bit 11, the sign of delta: digit j at bit 3 * j, bit 2 of it
     * that sign. */
    uint32_t iq1_delta[4096];
    /* Entries of iq2 as half floats. */
    _Alignas(16) uint16_t iq2xxs_halves[256][8];
    uint16_t iq2xs_halves[512][8];
    uint16_t iq2s_halves[1024][8];
    /* Entries of four, and eight signs as the sign bits of floats, ready to be loaded. */
    _Alignas(32) float iq3xxs_floats[256][4];
    float iq3s_floats[512][4];
    uint32_t sign_bits[256][8];
    _Alignas(64) uint8_t signs[128]; /* 7 sign bits with the eighth, their parity */
    uint8_t e4m3_bytes[2][128]; /* F8_E4M3 without the sign: bits 16 to 23 of the float, 24 to 31 */
    float e8m0[256];            /* the scale of MXFP4, halved */
    float ue4m3[256];           /* the scale of NVFP4, halved */
};

extern struct ggfs_grids ggfs_grids;

/* 0, 8, 4, 12: the digits of even and of odd values are bytes of their own. */
extern const uint8_t ggfs_grids_iq3_shift[4];

/* By digit. */
extern const int8_t ggfs_grids_iq1[4]; /* three are used, as in iq2 */
extern const int8_t ggfs_grids_iq2[4];
extern const int8_t ggfs_grids_iq3xxs[8];
extern const int8_t ggfs_grids_iq3s[8];

/* By 4-bit code. */
extern const int8_t ggfs_grids_iq4nl[16];
extern const int8_t ggfs_grids_fp4[16]; /* doubled */

/* Call once, before any kernel. */
void ggfs_grids_expand(void);

#endif
