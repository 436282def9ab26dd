/* SPDX-License-Identifier: MIT */
/* avx2.h - small steps that the AVX2 kernel files share. Include with AVX2, FMA and F16C enabled
 * only. */
#ifndef GGFS_KERNELS_X86_AVX2_H
#define GGFS_KERNELS_X86_AVX2_H

#include "kernels/words.h"

#include <immintrin.h>

#define LANES8(a, b, c, d, e, f, g, h) _mm256_setr_epi32(a, b, c, d, e, f, g, h)

KERNEL_INLINE __m128i load8(const uint8_t *b)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)b);
}

KERNEL_INLINE __m128i load16(const uint8_t *b)
{
    return _mm_loadu_si128((const __m128i *)(const void *)b);
}

KERNEL_INLINE __m256i load32(const uint8_t *b)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)b);
}

KERNEL_INLINE void store32(void *at, __m256i x)
{
    _mm256_storeu_si256(at, x);
}

KERNEL_INLINE void put(float *v, __m256 x)
{
    _mm256_storeu_ps(v, x);
}

/* 8 bytes, a lane each. */
KERNEL_INLINE __m256i bytes(const uint8_t *b)
{
    return _mm256_cvtepu8_epi32(load8(b));
}

KERNEL_INLINE __m256 signed_bytes(const uint8_t *b)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load8(b)));
}

/* The half at b in all lanes. */
KERNEL_INLINE __m256 half(const uint8_t *b)
{
    return _mm256_cvtph_ps(_mm_set1_epi16((int16_t)word16(b)));
}

KERNEL_INLINE __m256 all_of(const float *d)
{
    return _mm256_broadcast_ss(d);
}

KERNEL_INLINE __m256i both_halves(const uint8_t *b)
{
    return _mm256_broadcastsi128_si256(load16(b));
}

/* Eight signed bytes at the bottom of x, times d. */
KERNEL_INLINE void put_eight(float *v, __m128i x, __m256 d)
{
    put(v, _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(x)), d));
}

KERNEL_INLINE void put_sixteen(float *v, __m128i x, __m256 d)
{
    put_eight(v, x, d);
    put_eight(v + 8, _mm_unpackhi_epi64(x, x), d);
}

/* Eight unsigned bytes at the bottom of x, times d, plus m. */
KERNEL_INLINE void put_eight_plus(float *v, __m128i x, __m256 d, __m256 m)
{
    put(v, _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(x)), d, m));
}

KERNEL_INLINE void put_sixteen_plus(float *v, __m128i x, __m256 d, __m256 m)
{
    put_eight_plus(v, x, d, m);
    put_eight_plus(v + 8, _mm_unpackhi_epi64(x, x), d, m);
}

KERNEL_INLINE __m128i upper_half(__m256i x)
{
    return _mm256_extracti128_si256(x, 1);
}

typedef void block_fn(float *dst, const uint8_t *src);

KERNEL_INLINE void each_block(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                              size_t block_values, block_fn *block)
{
    for (; nblocks; nblocks--, src += block_bytes, dst += block_values)
        block(dst, src);
}

/* Split nibbles: 16 bytes to 32, the low nibbles first. */
KERNEL_INLINE __m256i nibbles(const uint8_t *q)
{
    const __m256i shifts = LANES8(0, 0, 0, 0, 4, 4, 4, 4);

    return _mm256_and_si256(_mm256_srlv_epi32(both_halves(q), shifts), _mm256_set1_epi8(15));
}

KERNEL_INLINE void put_less_8(float *v, __m256i codes, __m256 d)
{
    codes = _mm256_sub_epi32(codes, _mm256_set1_epi32(8));
    put(v, _mm256_mul_ps(_mm256_cvtepi32_ps(codes), d));
}

KERNEL_INLINE void put_fused(float *v, __m256i codes, __m256 d, __m256 m)
{
    put(v, _mm256_fmadd_ps(_mm256_cvtepi32_ps(codes), d, m));
}

KERNEL_INLINE __m256i low_nibbles(__m256i x)
{
    return _mm256_and_si256(x, _mm256_set1_epi32(15));
}

/* Split nibbles: 16 bytes to 32 values. Lanes are split here, not bytes: while it loads, the CPU
 * extends at no cost. */
KERNEL_INLINE void put_nibbles_less_8(float *v, const uint8_t *q, __m256 d)
{
    KERNEL_UNROLL
    for (int i = 0; i < 16; i += 8) {
        __m256i x = bytes(q + i);
        put_less_8(v + i, low_nibbles(x), d);
        put_less_8(v + 16 + i, _mm256_srli_epi32(x, 4), d);
    }
}

/* 32 signed bytes times d. */
KERNEL_INLINE void put_32(float *v, __m256i x, __m256 d)
{
    put_sixteen(v, _mm256_castsi256_si128(x), d);
    put_sixteen(v + 16, upper_half(x), d);
}

/* 32 unsigned bytes times d, plus m. */
KERNEL_INLINE void put_32_plus(float *v, __m256i x, __m256 d, __m256 m)
{
    put_sixteen_plus(v, _mm256_castsi256_si128(x), d, m);
    put_sixteen_plus(v + 16, upper_half(x), d, m);
}

/* The 32 bits of a word to bytes, 0xff for a one. */
KERNEL_INLINE __m256i bytes_of_bits(const uint8_t *b)
{
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                            2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bits = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    __m256i x = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word32(b)), spread);

    return _mm256_cmpeq_epi8(_mm256_and_si256(x, bits), bits);
}

KERNEL_INLINE void put_scaled(float *v, const uint8_t *q, __m256 d)
{
    put(v, _mm256_mul_ps(signed_bytes(q), d));
    put(v + 8, _mm256_mul_ps(signed_bytes(q + 8), d));
    put(v + 16, _mm256_mul_ps(signed_bytes(q + 16), d));
    put(v + 24, _mm256_mul_ps(signed_bytes(q + 24), d));
}

#endif
