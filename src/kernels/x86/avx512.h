/* SPDX-License-Identifier: MIT */
/* avx512.h - small steps that the AVX-512 kernel files share. Include with AVX-512 enabled only. */
#ifndef GGFS_KERNELS_X86_AVX512_H
#define GGFS_KERNELS_X86_AVX512_H

#include "kernels/words.h"

#include <immintrin.h>

#define LANES16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
    _mm512_setr_epi32(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
#define LANES _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

KERNEL_INLINE __m128i load16(const uint8_t *b)
{
    return _mm_loadu_si128((const __m128i *)(const void *)b);
}

KERNEL_INLINE __m256i load32(const uint8_t *b)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)b);
}

/* 16 bytes, a lane each. */
KERNEL_INLINE __m512i bytes(const uint8_t *b)
{
    return _mm512_cvtepu8_epi32(load16(b));
}

KERNEL_INLINE __m512 signed_bytes(const uint8_t *b)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(load16(b)));
}

/* The four halves at b as floats; 8 bytes are read. */
KERNEL_INLINE __m128 halves(const uint8_t *b)
{
    return _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)b));
}

/* The same, with 16 bytes read: for blocks with another word among the first 8 bytes, which clang
 * then copies by two bytes at a time. */
KERNEL_INLINE __m128 halves_wide(const uint8_t *b)
{
    return _mm256_castps256_ps128(_mm256_cvtph_ps(load16(b)));
}

/* The first and the second of halves in all lanes. */
KERNEL_INLINE __m512 first_of(__m128 x)
{
    return _mm512_broadcastss_ps(x);
}

KERNEL_INLINE __m512 second_of(__m128 x)
{
    return _mm512_permutexvar_ps(_mm512_set1_epi32(1), _mm512_castps128_ps512(x));
}

/* The half at b in all lanes; 8 bytes are read. */
KERNEL_INLINE __m512 half(const uint8_t *b)
{
    return first_of(halves(b));
}

/* The half at b + 2 in all lanes. */
KERNEL_INLINE __m512 second_half(const uint8_t *b)
{
    return second_of(halves(b));
}

/* The half of the last two bytes of a block, in all lanes. */
KERNEL_INLINE __m512 last_half(const uint8_t *b)
{
    return _mm512_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi32_si128(word16(b))));
}

KERNEL_INLINE __m512 pick(__m512 table, __m512i codes)
{
    return _mm512_permutexvar_ps(codes, table);
}

/* By two bits; the table has the same four values in each quarter. */
KERNEL_INLINE __m512 pick4(__m512 table, __m512i codes)
{
    return _mm512_permutevar_ps(table, codes);
}

KERNEL_INLINE void put(float *v, __m512 x)
{
    _mm512_storeu_ps(v, x);
}

/* a where mask has ones, b elsewhere. */
KERNEL_INLINE __m512i chosen(__m512i mask, __m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi32(b, mask, a, 0xb8);
}

KERNEL_INLINE __m512 all_of(const float *d)
{
    return _mm512_set1_ps(*d);
}

/* Four runs of 16 bits, for four times 16 values. */
KERNEL_INLINE __mmask64 load_masks(const uint8_t *b)
{
    /* _load_mask64 is for aligned addresses only. */
    return _cvtu64_mask64(word64(b));
}

KERNEL_INLINE __m128i load8(const uint8_t *b)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)b);
}

/* Each of the first eight lanes twice. */
KERNEL_INLINE __m512i twice(__m512i x)
{
    return _mm512_permutexvar_epi32(_mm512_srli_epi32(LANES, 1), x);
}

KERNEL_INLINE __m512 odd_numbers(__m512i n)
{
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_add_epi32(n, n), _mm512_set1_epi32(1)));
}

/* Of so many blocks of 256 what needs to be known of their parts is found before the values are
 * put: what one block waits for others hide, and what was stored is in the cache again. */
enum { BATCH = 16 };

typedef void block_fn(float *dst, const uint8_t *src);

KERNEL_INLINE void each_block(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                              size_t block_values, block_fn *block)
{
    for (; nblocks >= 2; nblocks -= 2, src += 2 * block_bytes, dst += 2 * block_values) {
        block(dst, src);
        block(dst + block_values, src + block_bytes);
    }
    if (nblocks)
        block(dst, src);
}

/* Split nibbles: 16 bytes to 32 values. */
KERNEL_INLINE void put_nibbles(float *v, __m512 table, const uint8_t *q)
{
    __m512i codes = bytes(q);

    put(v, pick(table, codes));
    put(v + 16, pick(table, _mm512_srli_epi32(codes, 4)));
}

KERNEL_INLINE __m512 counted_from(int first)
{
    return _mm512_cvtepi32_ps(_mm512_add_epi32(LANES, _mm512_set1_epi32(first)));
}

/* Eight scales, then eight minimums, of a block of Q4_K or Q5_K. */
KERNEL_INLINE __m512 k_scales(const uint8_t *src)
{
    const __m512i first8 = LANES16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    __m128i x = load16(src); /* d and dmin, then three words of scales */
    __m128i top = _mm_srlv_epi32(_mm_shuffle_epi32(x, 0xa5), _mm_setr_epi32(0, 2, 0, 2));
    __m128i low = _mm_srlv_epi32(_mm_shuffle_epi32(x, 0xff), _mm_setr_epi32(0, 0, 0, 4));

    top = _mm_and_si128(top, _mm_setr_epi32(0x3f3f3f3f, 0x30303030, 0x3f3f3f3f, 0x30303030));
    low = _mm_and_si128(low, _mm_setr_epi32(0, 0x0f0f0f0f, 0, 0x0f0f0f0f));
    __m512i codes = _mm512_cvtepu8_epi32(_mm_or_si128(top, low));
    __m512 scales = _mm512_permutexvar_ps(first8, _mm512_castps128_ps512(_mm_cvtph_ps(x)));
    return _mm512_mul_ps(scales, _mm512_cvtepi32_ps(codes));
}

/* By what k_scales gave, from code first on. */
KERNEL_INLINE __m512 table_min(int first, const float *scale)
{
    return _mm512_fmsub_ps(counted_from(first), all_of(scale), all_of(scale + 8));
}

/* What codes of five bits stand for: 0 to 15, 16 to 31. */
struct table32 {
    __m512 zeros, ones;
};

/* By five bits. */
KERNEL_INLINE __m512 pick32(struct table32 table, __m512i codes)
{
    return _mm512_permutex2var_ps(table.zeros, codes, table.ones);
}

KERNEL_INLINE struct table32 q5_0_table(const uint8_t *src)
{
    __m512 d = first_of(halves_wide(src));

    return (struct table32){_mm512_mul_ps(counted_from(-16), d), _mm512_mul_ps(counted_from(0), d)};
}

KERNEL_INLINE struct table32 q5_1_table(const uint8_t *src)
{
    __m128 both = halves_wide(src);
    __m512 d = first_of(both), m = second_of(both);

    return (struct table32){_mm512_fmadd_ps(counted_from(0), d, m),
                            _mm512_fmadd_ps(counted_from(16), d, m)};
}

KERNEL_INLINE void put_scaled(float *v, const uint8_t *q, __m512 d)
{
    put(v, _mm512_mul_ps(signed_bytes(q), d));
    put(v + 16, _mm512_mul_ps(signed_bytes(q + 16), d));
}

#endif
