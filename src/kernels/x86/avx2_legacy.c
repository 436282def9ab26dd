/* SPDX-License-Identifier: MIT */
/* avx2_legacy.c - kernels for AVX2, FMA and F16C: block layouts from before GGUF.
 *
 * Blocks are drawn in scalar_legacy.c; the common ways are those of avx2.c. The product with an f32
 * scale is not exact: multiply and add are two steps there, each of which rounds. */
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

/* 8 bytes to 16. */
KERNEL_INLINE __m128i few_neighbours(const uint8_t *q)
{
    __m128i x = _mm_cvtepu8_epi16(load8(q));

    return _mm_and_si128(_mm_or_si128(x, _mm_slli_epi16(x, 4)), _mm_set1_epi8(15));
}

/* Eight unsigned bytes at the bottom of x, times d, rounded, plus m. */
KERNEL_INLINE void put_eight_rounded(float *v, __m128i x, __m256 d, __m256 m)
{
    __m256 product = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(x)), d);

    put(v, _mm256_add_ps(product, m));
}

KERNEL_INLINE void put_sixteen_rounded(float *v, __m128i x, __m256 d, __m256 m)
{
    put_eight_rounded(v, x, d, m);
    put_eight_rounded(v + 8, _mm_unpackhi_epi64(x, x), d, m);
}

KERNEL_INLINE void put_32_rounded(float *v, __m256i x, __m256 d, __m256 m)
{
    put_sixteen_rounded(v, _mm256_castsi256_si128(x), d, m);
    put_sixteen_rounded(v + 16, upper_half(x), d, m);
}

KERNEL_INLINE void q4_0_v1_block(float *dst, const uint8_t *src)
{
    put_32(dst, _mm256_sub_epi8(neighbours(src + 4), _mm256_set1_epi8(8)), single(src));
}

void ggfs_avx2_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v1_block);
}

KERNEL_INLINE void q4_1_v1_block(float *dst, const uint8_t *src)
{
    put_32_rounded(dst, neighbours(src + 8), single(src), single(src + 4));
}

void ggfs_avx2_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v1_block);
}

KERNEL_INLINE void q4_2_v1_block(float *dst, const uint8_t *src)
{
    put_sixteen(dst, _mm_sub_epi8(few_neighbours(src + 2), _mm_set1_epi8(8)), half(src));
}

void ggfs_avx2_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 10, 16, q4_2_v1_block);
}

KERNEL_INLINE void q4_3_v1_block(float *dst, const uint8_t *src)
{
    put_sixteen_plus(dst, few_neighbours(src + 4), half(src), half(src + 2));
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
    put_32(dst, _mm256_sub_epi8(nibbles(src + 4), _mm256_set1_epi8(8)), single(src));
}

void ggfs_avx2_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v2_block);
}

KERNEL_INLINE void q4_1_v2_block(float *dst, const uint8_t *src)
{
    put_32_rounded(dst, nibbles(src + 8), single(src), single(src + 4));
}

void ggfs_avx2_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v2_block);
}
