/* SPDX-License-Identifier: MIT */
/* avx512_legacy.c - kernels for AVX-512 F, BW, DQ and VL: block layouts from before GGUF.
 *
 * Blocks are drawn in scalar_legacy.c; the common ways are those of avx512.c. The product with an
 * f32 scale is not exact: multiply and add are two steps there, each of which rounds. */
#include <config.h>

#include "kernels/words.h"
#include "kernels/x86/avx512.h"
#include "kernels/x86/legacy.h"

/* Neighbour nibbles: 8 bytes to 16 codes at the bottom of the lanes, with others above. */
KERNEL_INLINE __m512i neighbours(const uint8_t *q)
{
    const __m512i shifts = LANES16(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    __m512i low = _mm512_set1_epi32((int)word32(q)), high = _mm512_set1_epi32((int)word32(q + 4));

    return _mm512_srlv_epi32(_mm512_mask_mov_epi32(low, 0xff00, high), shifts);
}

#define NAME(kernel) ggfs_avx512_##kernel
#include "kernels/x86/avx512_legacy_tmpl.h"

/* With a fifth bit for each in the word at fifth, turned to its place, bit 4, in the lane. */
KERNEL_INLINE void put_fives(float *v, struct table32 table, const uint8_t *fifth, const uint8_t *q)
{
    const __m512i nibble = _mm512_set1_epi32(15);
    const __m512i turn = _mm512_sub_epi32(_mm512_set1_epi32(4), LANES);
    __m512i h1 = _mm512_rolv_epi32(_mm512_set1_epi32((int)word32(fifth)), turn);
    __m512i h2 = _mm512_rol_epi32(h1, 16);

    put(v, pick32(table, chosen(nibble, neighbours(q), h1)));
    put(v + 16, pick32(table, chosen(nibble, neighbours(q + 8), h2)));
}

KERNEL_INLINE void q5_0_v1_block(float *dst, const uint8_t *src)
{
    put_fives(dst, q5_0_table(src), src + 2, src + 6);
}

void ggfs_avx512_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 22, 32, q5_0_v1_block);
}

KERNEL_INLINE void q5_1_v1_block(float *dst, const uint8_t *src)
{
    put_fives(dst, q5_1_table(src), src + 4, src + 8);
}

void ggfs_avx512_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q5_1_v1_block);
}

KERNEL_INLINE void q8_0_v1_block(float *dst, const uint8_t *src)
{
    put_scaled(dst, src + 4, single(src));
}

void ggfs_avx512_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 36, 32, q8_0_v1_block);
}

KERNEL_INLINE void q4_0_v2_block(float *dst, const uint8_t *src)
{
    put_nibbles(dst, _mm512_mul_ps(counted_from(-8), single(src)), src + 4);
}

void ggfs_avx512_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v2_block);
}

KERNEL_INLINE void q4_1_v2_block(float *dst, const uint8_t *src)
{
    put_nibbles(dst, table_rounded(single(src), single(src + 4)), src + 8);
}

void ggfs_avx512_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v2_block);
}
