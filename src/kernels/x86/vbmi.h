/* SPDX-License-Identifier: MIT */
/* vbmi.h - codes of five bits, for the VBMI kernel files. Include with AVX-512 VBMI enabled only.
 */
#ifndef GGFS_KERNELS_X86_VBMI_H
#define GGFS_KERNELS_X86_VBMI_H

#include "kernels/x86/avx512.h"

/* Two blocks at a time, each with a word of fifth bits and 16 bytes of nibbles. One permute brings
 * to each pair of lanes, 2k and 2k + 1, the bytes with its nibbles, and above them those with its
 * fifth bits: of values 2k + {0, 1} and 2k + {16, 17} of the first block, then of the second. */

/* How the nibbles of a block lie. */
struct nibble_order {
    __m512i steps;   /* from a pair's bytes to those of the next pair */
    int other;       /* from the first byte of a pair to its second */
    int64_t nibbles; /* the bits where the four nibbles of lane 2k begin, and those of 2k + 1 */
};

struct five_bits {
    __m512i places, nibbles;
};

/* Four bytes: at and at + other, in the first block and the second. */
KERNEL_INLINE int64_t four_places(int at, int other, size_t block_bytes)
{
    return (at | (at + other) << 8) * (int64_t)0x10001 + (int64_t)(block_bytes * 0x1010000);
}

KERNEL_INLINE struct five_bits five_bits(int fifths, int nibbles, size_t block_bytes,
                                         struct nibble_order order)
{
    const int next = 0x01010101; /* eight values later */
    const __m512i steps = LANES16(0, 0, 0, 0, 0, 0, 0, 0, 0, next, 0, next, 0, next, 0, next);
    int64_t places =
        four_places(nibbles, order.other, block_bytes) | four_places(fifths, 2, block_bytes) << 32;
    __m512i first = _mm512_add_epi32(_mm512_set1_epi64(places), steps);

    return (struct five_bits){_mm512_add_epi32(first, order.steps),
                              _mm512_set1_epi64(order.nibbles)};
}

/* Codes in bytes, out of the bits that begin at places in x and in h. What lies above five bits is
 * not cleared. */
KERNEL_INLINE __m512i with_fifths(__m512i nibbles, __m512i x, __m512i fifths, __m512i h)
{
    return chosen(_mm512_set1_epi8(15), _mm512_multishift_epi64_epi8(nibbles, x),
                  _mm512_multishift_epi64_epi8(fifths, h));
}

/* In each lane, a byte each: value i and value i + 16 of the first block, then of the second. */
KERNEL_INLINE __m512i fives(struct five_bits bits, const uint8_t *src, size_t bytes)
{
    /* The fifth bits begin four bits lower, which makes them bit 4. */
    const __m512i fifths =
        LANES16(0x342c241c, 0x352d251d, 0x362e261e, 0x372f271f, 0x38302820, 0x39312921, 0x3a322a22,
                0x3b332b23, 0x342c241c, 0x352d251d, 0x362e261e, 0x372f271f, 0x38302820, 0x39312921,
                0x3a322a22, 0x3b332b23);
    __m512i x = _mm512_maskz_loadu_epi16((__mmask32)((1ull << bytes / 2) - 1), src);

    x = _mm512_permutexvar_epi8(bits.places, x);
    return with_fifths(bits.nibbles, x, fifths, x);
}

KERNEL_INLINE void put_fives(float *v, struct table32 table, __m512i codes)
{
    put(v, pick32(table, codes));
    put(v + 16, pick32(table, _mm512_srli_epi32(codes, 8)));
}

typedef struct table32 table32_fn(const uint8_t *src);

KERNEL_INLINE void each_fives(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                              struct five_bits bits, table32_fn *table)
{
    for (; nblocks >= 2; nblocks -= 2, src += 2 * block_bytes, dst += 64) {
        __m512i codes = fives(bits, src, 2 * block_bytes);
        put_fives(dst, table(src), codes);
        put_fives(dst + 32, table(src + block_bytes), _mm512_srli_epi32(codes, 16));
    }
    if (nblocks)
        put_fives(dst, table(src), fives(bits, src, block_bytes));
}

KERNEL_INLINE void each_q5_0(float *dst, const uint8_t *src, size_t nblocks,
                             struct nibble_order order)
{
    each_fives(dst, src, nblocks, 22, five_bits(2, 6, 22, order), q5_0_table);
}

KERNEL_INLINE void each_q5_1(float *dst, const uint8_t *src, size_t nblocks,
                             struct nibble_order order)
{
    each_fives(dst, src, nblocks, 24, five_bits(4, 8, 24, order), q5_1_table);
}

#endif
