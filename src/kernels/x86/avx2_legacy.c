/* SPDX-License-Identifier: MIT */
/* avx2_legacy.c - kernels for AVX2, FMA and F16C: block layouts from before GGUF.
 *
 * Blocks are drawn in scalar_legacy.c; the common ways are those of avx2.c, but codes of four bits
 * go to lanes at once, as shifts are cheaper than shuffles. The product with an f32 scale is not
 * exact: multiply and add are two steps there, each of which rounds. */
#include <config.h>

#include "kernels/words.h"
#include "kernels/x86/avx2.h"
#include "kernels/x86/legacy.h"

/* The float at b in all lanes. */
KERNEL_INLINE __m256 single(const uint8_t *b)
{
    return _mm256_set1_ps(float_at(b));
}

/* Neighbour nibbles: 16 bytes to 32 in order. */
KERNEL_INLINE __m256i neighbours(const uint8_t *q)
{
    __m256i x = _mm256_cvtepu8_epi16(load16(q));

    return _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi16(x, 4)), _mm256_set1_epi8(15));
}

/* Neighbour nibbles: 4 bytes to 8 codes, a lane each. */
KERNEL_INLINE __m256i eight_neighbours(const uint8_t *q)
{
    const __m256i shifts = LANES8(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i x = _mm256_srlv_epi32(_mm256_set1_epi32((int)word32(q)), shifts);

    return low_nibbles(x);
}

/* Codes times d, rounded, plus m. */
KERNEL_INLINE void put_rounded(float *v, __m256i codes, __m256 d, __m256 m)
{
    put(v, _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(codes), d), m));
}

KERNEL_INLINE void q4_0_v1_block(float *dst, const uint8_t *src)
{
    __m256 d = single(src);

    KERNEL_UNROLL
    for (int i = 0; i < 32; i += 8)
        put_less_8(dst + i, eight_neighbours(src + 4 + i / 2), d);
}

void ggfs_avx2_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v1_block);
}

KERNEL_INLINE void q4_1_v1_block(float *dst, const uint8_t *src)
{
    __m256 d = single(src), m = single(src + 4);

    KERNEL_UNROLL
    for (int i = 0; i < 32; i += 8)
        put_rounded(dst + i, eight_neighbours(src + 8 + i / 2), d, m);
}

void ggfs_avx2_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v1_block);
}

KERNEL_INLINE void q4_2_v1_block(float *dst, const uint8_t *src)
{
    __m256 d = half(src);

    put_less_8(dst, eight_neighbours(src + 2), d);
    put_less_8(dst + 8, eight_neighbours(src + 6), d);
}

void ggfs_avx2_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 10, 16, q4_2_v1_block);
}

KERNEL_INLINE void q4_3_v1_block(float *dst, const uint8_t *src)
{
    __m256 d = half(src), m = half(src + 2);

    put_fused(dst, eight_neighbours(src + 4), d, m);
    put_fused(dst + 8, eight_neighbours(src + 8), d, m);
}

void ggfs_avx2_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 12, 16, q4_3_v1_block);
}

/* q - 16 is q with the four upper bits set, where the fifth is not. */
KERNEL_INLINE void q5_0_v1_block(float *dst, const uint8_t *src)
{
    __m256i upper = _mm256_andnot_si256(bytes_of_bits(src + 2), _mm256_set1_epi8((char)0xf0));

    put_32(dst, _mm256_or_si256(neighbours(src + 6), upper), half(src));
}

void ggfs_avx2_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 22, 32, q5_0_v1_block);
}

KERNEL_INLINE void q5_1_v1_block(float *dst, const uint8_t *src)
{
    __m256i fifth = _mm256_and_si256(bytes_of_bits(src + 4), _mm256_set1_epi8(16));

    put_32_plus(dst, _mm256_or_si256(neighbours(src + 8), fifth), half(src), half(src + 2));
}

void ggfs_avx2_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q5_1_v1_block);
}

KERNEL_INLINE void q8_0_v1_block(float *dst, const uint8_t *src)
{
    put_scaled(dst, src + 4, single(src));
}

void ggfs_avx2_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 36, 32, q8_0_v1_block);
}

KERNEL_INLINE void q4_0_v2_block(float *dst, const uint8_t *src)
{
    put_nibbles_less_8(dst, src + 4, single(src));
}

void ggfs_avx2_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v2_block);
}

KERNEL_INLINE void q4_1_v2_block(float *dst, const uint8_t *src)
{
    __m256 d = single(src), m = single(src + 4);

    KERNEL_UNROLL
    for (int i = 0; i < 16; i += 8) {
        __m256i q = bytes(src + 8 + i);
        put_rounded(dst + i, low_nibbles(q), d, m);
        put_rounded(dst + 16 + i, _mm256_srli_epi32(q, 4), d, m);
    }
}

void ggfs_avx2_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v2_block);
}
