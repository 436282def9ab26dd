/* SPDX-License-Identifier: MIT */
/* avx512.c - kernels for AVX-512 F, BW, DQ and VL. Blocks are drawn in scalar.c.
 *
 * The common ways:
 * - A code of up to 4 bits becomes a float by a permute out of a register that holds all the values
 *   the block can take (`table`). A permute looks at the low bits of its index only, so that codes
 *   need no masking, where the table repeats itself if need be.
 * - Multiply and subtract are fused where the scale is a half: the product is exact there.
 * - Scales of parts are computed for a few blocks at once, stored, and loaded into all lanes one by
 *   one: loads are cheaper than permutes, and what one block waits for others can hide (`batched`).
 */
#include <config.h>

#include "kernels/cpu.h"
#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/sets.h"
#include "kernels/words.h"
#include "kernels/x86/avx512.h"
#include "kernels/x86/legacy.h"

KERNEL_INLINE __m512 from_bytes16(const int8_t *b)
{
    return signed_bytes((const uint8_t *)b);
}

/* --- one value a block --- */

typedef __m512 floats_fn(const uint8_t *src);

/* Sixteen values of `bytes` bytes at a time; the last ones out of a copy. */
KERNEL_INLINE void each16(float *dst, const uint8_t *src, size_t n, size_t bytes_each,
                          floats_fn *floats)
{
    for (; n >= 64; n -= 64, src += 64 * bytes_each, dst += 64) {
        put(dst, floats(src));
        put(dst + 16, floats(src + 16 * bytes_each));
        put(dst + 32, floats(src + 32 * bytes_each));
        put(dst + 48, floats(src + 48 * bytes_each));
    }
    for (; n >= 16; n -= 16, src += 16 * bytes_each, dst += 16)
        put(dst, floats(src));
    if (n) {
        uint8_t rest[16 * 8] = {0};
        memcpy(rest, src, n * bytes_each);
        _mm512_mask_storeu_ps(dst, (__mmask16)((1u << n) - 1), floats(rest));
    }
}

KERNEL_INLINE __m512 floats_of_i64(const uint8_t *src)
{
    __m256 low = _mm512_cvtepi64_ps(_mm512_loadu_si512(src));

    return _mm512_insertf32x8(_mm512_castps256_ps512(low),
                              _mm512_cvtepi64_ps(_mm512_loadu_si512(src + 64)), 1);
}

KERNEL_INLINE __m512 floats_of_f64(const uint8_t *src)
{
    __m256 low = _mm512_cvtpd_ps(_mm512_loadu_pd(src));

    return _mm512_insertf32x8(_mm512_castps256_ps512(low),
                              _mm512_cvtpd_ps(_mm512_loadu_pd(src + 64)), 1);
}

/* A half has the fraction's bits on top of its own ten and an exponent with a bias greater by 8, so
 * that 256 times the half is the value, subnormals too. Adding 0x80 carries into bit 14 where all
 * bits below are ones: a NaN. */
KERNEL_INLINE __m512 floats_of_e4m3(const uint8_t *src)
{
    __m256i x = _mm256_slli_epi16(_mm256_cvtepi8_epi16(load16(src)), 7);

    x = _mm256_and_si256(x, _mm256_set1_epi16((int16_t)0xbf80));
    __m256i carry = _mm256_add_epi16(x, _mm256_set1_epi16(0x80));
    x = _mm256_ternarylogic_epi32(x, carry, _mm256_set1_epi16(0x4000), 0xf8);
    return _mm512_mul_ps(_mm512_cvtph_ps(x), _mm512_set1_ps(256));
}

static void i8(float *dst, const uint8_t *src, size_t nblocks)
{
    each16(dst, src, nblocks, 1, signed_bytes);
}

KERNEL_INLINE __m512 bf16_values(const uint8_t *b)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load32(b)), 16));
}

static void bf16(float *dst, const uint8_t *src, size_t nblocks)
{
    each16(dst, src, nblocks, 2, bf16_values);
}

static void i64(float *dst, const uint8_t *src, size_t nblocks)
{
    each16(dst, src, nblocks, 8, floats_of_i64);
}

static void f64(float *dst, const uint8_t *src, size_t nblocks)
{
    each16(dst, src, nblocks, 8, floats_of_f64);
}

static void f8_e4m3(float *dst, const uint8_t *src, size_t nblocks)
{
    each16(dst, src, nblocks, 1, floats_of_e4m3);
}

/* --- blocks of 32, 64, 128 --- */

KERNEL_INLINE void q4_0_block(float *dst, const uint8_t *src)
{
    const __m512 values = counted_from(-8);

    put_nibbles(dst, _mm512_mul_ps(values, half(src)), src + 2);
}

static void q4_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 32, q4_0_block);
}

KERNEL_INLINE void q4_1_block(float *dst, const uint8_t *src)
{
    const __m512 values = counted_from(0);

    put_nibbles(dst, _mm512_fmadd_ps(values, half(src), second_half(src)), src + 4);
}

static void q4_1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_1_block);
}

/* Split nibbles, with a fifth bit for each in the word at fifth. The bits are turned to their
 * place, bit 4, in the lane; a permute of two tables looks at five bits. */
KERNEL_INLINE void put_fives(float *v, struct table32 table, const uint8_t *fifth, const uint8_t *q)
{
    const __m512i nibble = _mm512_set1_epi32(15);
    const __m512i turn = _mm512_sub_epi32(_mm512_set1_epi32(4), LANES);
    __m512i codes = bytes(q), h = _mm512_set1_epi32((int)word32(fifth));
    __m512i h1 = _mm512_rolv_epi32(h, turn), h2 = _mm512_rol_epi32(h1, 16);

    put(v, pick32(table, chosen(nibble, codes, h1)));
    put(v + 16, pick32(table, chosen(nibble, _mm512_srli_epi32(codes, 4), h2)));
}

KERNEL_INLINE void q5_0_block(float *dst, const uint8_t *src)
{
    put_fives(dst, q5_0_table(src), src + 2, src + 6);
}

static void q5_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 22, 32, q5_0_block);
}

KERNEL_INLINE void q5_1_block(float *dst, const uint8_t *src)
{
    put_fives(dst, q5_1_table(src), src + 4, src + 8);
}

static void q5_1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q5_1_block);
}

KERNEL_INLINE void q8_0_block(float *dst, const uint8_t *src)
{
    put_scaled(dst, src + 2, half(src));
}

static void q8_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 34, 32, q8_0_block);
}

KERNEL_INLINE void q8_1_block(float *dst, const uint8_t *src)
{
    put_scaled(dst, src + 4, half(src));
}

static void q8_1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 36, 32, q8_1_block);
}

KERNEL_INLINE void q8_k_block(float *dst, const uint8_t *src)
{
    __m512 d = _mm512_set1_ps(float_at(src));

    KERNEL_UNROLL
    for (int i = 0; i < 256; i += 32)
        put_scaled(dst + i, src + 4 + i, d);
}

static void q8_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 292, dst += 256)
        q8_k_block(dst, src);
}

KERNEL_INLINE void q1_0_block(float *dst, const uint8_t *src)
{
    __m512 d = half(src), minus = _mm512_xor_ps(d, _mm512_set1_ps(-0.0f));
    __mmask64 bits = 0;

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++) {
        bits = i % 4 ? _kshiftri_mask64(bits, 16) : load_masks(src + 2 + 2 * i);
        put(dst + 16 * i, _mm512_mask_blend_ps((__mmask16)bits, minus, d));
    }
}

static void q1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 128, q1_0_block);
}

/* -1, 0, 1, 2 */
KERNEL_INLINE __m512 ternary_values(void)
{
    return _mm512_broadcast_f32x4(_mm_setr_ps(-1, 0, 1, 2));
}

KERNEL_INLINE void q2_0_block(float *dst, const uint8_t *src)
{
    const __m512i shifts = _mm512_slli_epi32(LANES, 1);
    __m512 table = _mm512_mul_ps(ternary_values(), first_of(halves_wide(src)));

    KERNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        __m512i codes = _mm512_set1_epi32((int)word32(src + 2 + 4 * i));
        put(dst + 16 * i, pick4(table, _mm512_srlv_epi32(codes, shifts)));
    }
}

static void q2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 64, q2_0_block);
}

KERNEL_INLINE void iq4_nl_block(float *dst, const uint8_t *src)
{
    const __m512 values = from_bytes16(ggfs_grids_iq4nl);

    put_nibbles(dst, _mm512_mul_ps(values, half(src)), src + 2);
}

static void iq4_nl(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 32, iq4_nl_block);
}

KERNEL_INLINE void mxfp4_block(float *dst, const uint8_t *src)
{
    const __m512 values = from_bytes16(ggfs_grids_fp4);
    __m512 d = _mm512_set1_ps(ggfs_grids.e8m0[src[0]]);
    put_nibbles(dst, _mm512_mul_ps(values, d), src + 1);
}

static void mxfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 17, 32, mxfp4_block);
}

/* 8 bytes, and once more. As a double, which can be loaded into both halves at once. */
KERNEL_INLINE __m128i load_twice(const uint8_t *b)
{
    double x;

    memcpy(&x, b, sizeof x);
    return _mm_castpd_si128(_mm_set1_pd(x));
}

KERNEL_INLINE void nvfp4_block(float *dst, const uint8_t *src)
{
    const __m512 values = from_bytes16(ggfs_grids_fp4);
    const __m512i shifts = LANES16(0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4);

    KERNEL_UNROLL
    for (int s = 0; s < 4; s++) {
        __m512 d = _mm512_set1_ps(ggfs_grids.ue4m3[src[s]]);
        __m128i twice = load_twice(src + 4 + 8 * s);
        __m512i codes = _mm512_srlv_epi32(_mm512_cvtepu8_epi32(twice), shifts);
        put(dst + 16 * s, pick(_mm512_mul_ps(values, d), codes));
    }
}

static void nvfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 36, 64, nvfp4_block);
}

/* --- blocks of 256 with scales of parts --- */

/* What is known of a block before its values are put. */
struct parts {
    _Alignas(64) float d[16];
    float m[16];
    uint16_t index[32];
};

typedef void prepare_fn(struct parts *parts, const uint8_t *src);
typedef void values_fn(float *dst, const uint8_t *src, const struct parts *parts);

KERNEL_INLINE void batched(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                           prepare_fn *prepare, values_fn *values)
{
    struct parts parts[BATCH];

    while (nblocks) {
        size_t n = nblocks < BATCH ? nblocks : BATCH;
        for (size_t i = 0; i < n; i++)
            prepare(&parts[i], src + block_bytes * i);
        for (size_t i = 0; i < n; i++, src += block_bytes, dst += 256)
            values(dst, src, &parts[i]);
        nblocks -= n;
    }
}

static void q2_k_prepare(struct parts *parts, const uint8_t *src)
{
    __m512i s = bytes(src), low = _mm512_and_si512(s, _mm512_set1_epi32(15));
    __m128 both = _mm_cvtph_ps(_mm_cvtsi32_si128((int)word32(src + 80)));
    __m512 d = _mm512_broadcastss_ps(both), m = _mm512_broadcastss_ps(_mm_movehdup_ps(both));

    _mm512_store_ps(parts->d, _mm512_mul_ps(d, _mm512_cvtepi32_ps(low)));
    _mm512_store_ps(parts->m, _mm512_mul_ps(m, _mm512_cvtepi32_ps(_mm512_srli_epi32(s, 4))));
}

/* 16 bytes of strided pairs make four groups, 32 values apart. */
static void q2_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m512 digits = _mm512_broadcast_f32x4(_mm_setr_ps(0, 1, 2, 3));

    for (int i = 0; i < 4; i++) {
        int group = i / 2 * 8 + i % 2;
        __m512i codes = bytes(src + 16 + 16 * i);
        KERNEL_UNROLL
        for (int r = 0; r < 8; r += 2) {
            __m512 table =
                _mm512_fmsub_ps(digits, all_of(parts->d + group + r), all_of(parts->m + group + r));
            put(dst + 16 * (group + r), pick4(table, _mm512_srli_epi32(codes, (unsigned)r)));
        }
    }
}

static void q2_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 84, q2_k_prepare, q2_k_values);
}

/* Low nibbles in words 0 and 1, then high ones; pairs of word 2 on top. */
static void q3_k_prepare(struct parts *parts, const uint8_t *src)
{
    __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)(src + 96));
    __m128i low = _mm_unpacklo_epi64(x, _mm_srli_epi32(x, 4));
    __m128i high =
        _mm_srlv_epi32(_mm_set1_epi32((int)word32(src + 104)), _mm_setr_epi32(0, 2, 4, 6));

    low = _mm_and_si128(low, _mm_set1_epi8(15));
    high = _mm_slli_epi32(_mm_and_si128(high, _mm_set1_epi8(3)), 4);
    __m128i scales = _mm_sub_epi8(_mm_or_si128(low, high), _mm_set1_epi8(32));
    __m512 s = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(scales));
    _mm512_store_ps(parts->d, _mm512_mul_ps(last_half(src + 108), s));
}

/* Sixteen values: pairs in the low bits, the third bit in bit 2 of high. */
KERNEL_INLINE void put_threes(float *v, __m512i pairs, __m512i high, const float *d)
{
    const __m256 values = _mm256_setr_ps(-4, -3, -2, -1, 0, 1, 2, 3);
    __m512 table = _mm512_mul_ps(_mm512_broadcast_f32x8(values), all_of(d));

    put(v, pick(table, chosen(_mm512_set1_epi32(3), pairs, high)));
}

static void q3_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const float *d = parts->d;

    for (int i = 0; i < 2; i++, d++, dst += 16) {
        __m512i h = bytes(src + 16 * i);
        __m512i q = bytes(src + 32 + 16 * i);
        put_threes(dst, q, _mm512_slli_epi32(h, 2), d);
        put_threes(dst + 32, _mm512_srli_epi32(q, 2), _mm512_slli_epi32(h, 1), d + 2);
        put_threes(dst + 64, _mm512_srli_epi32(q, 4), h, d + 4);
        put_threes(dst + 96, _mm512_srli_epi32(q, 6), _mm512_srli_epi32(h, 1), d + 6);
        q = bytes(src + 64 + 16 * i);
        put_threes(dst + 128, q, _mm512_srli_epi32(h, 2), d + 8);
        put_threes(dst + 160, _mm512_srli_epi32(q, 2), _mm512_srli_epi32(h, 3), d + 10);
        put_threes(dst + 192, _mm512_srli_epi32(q, 4), _mm512_srli_epi32(h, 4), d + 12);
        put_threes(dst + 224, _mm512_srli_epi32(q, 6), _mm512_srli_epi32(h, 5), d + 14);
    }
}

static void q3_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 110, q3_k_prepare, q3_k_values);
}

static void k_prepare(struct parts *parts, const uint8_t *src)
{
    _mm512_store_ps(parts->d, k_scales(src));
}

static void q4_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    KERNEL_UNROLL
    for (int j = 0; j < 8; j += 2, dst += 64) {
        __m512i first = bytes(src + 16 + 16 * j), second = bytes(src + 32 + 16 * j);
        __m512 low = table_min(0, parts->d + j), high = table_min(0, parts->d + j + 1);
        put(dst, pick(low, first));
        put(dst + 16, pick(low, second));
        put(dst + 32, pick(high, _mm512_srli_epi32(first, 4)));
        put(dst + 48, pick(high, _mm512_srli_epi32(second, 4)));
    }
}

static void q4_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 144, k_prepare, q4_k_values);
}

/* Sixteen values out of one table or, where h has the bit, the other. */
KERNEL_INLINE void put_fives_min(float *v, __m512 zeros, __m512 ones, __m512i codes, __m128i h,
                                 __m128i bit)
{
    __mmask16 mask = _mm_test_epi8_mask(h, bit);

    put(v, _mm512_mask_permutexvar_ps(pick(zeros, codes), mask, codes, ones));
}

static void q5_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    __m128i h1 = load16(src + 16), h2 = load16(src + 32), bit = _mm_set1_epi8(1);

    KERNEL_UNROLL
    for (int j = 0; j < 8; j += 2, dst += 64) {
        __m512i q1 = bytes(src + 48 + 16 * j), q2 = bytes(src + 64 + 16 * j);
        __m512 zeros = table_min(0, parts->d + j), ones = table_min(16, parts->d + j);
        put_fives_min(dst, zeros, ones, q1, h1, bit);
        put_fives_min(dst + 16, zeros, ones, q2, h2, bit);
        bit = _mm_add_epi8(bit, bit);
        zeros = table_min(0, parts->d + j + 1);
        ones = table_min(16, parts->d + j + 1);
        put_fives_min(dst + 32, zeros, ones, _mm512_srli_epi32(q1, 4), h1, bit);
        put_fives_min(dst + 48, zeros, ones, _mm512_srli_epi32(q2, 4), h2, bit);
        bit = _mm_add_epi8(bit, bit);
    }
}

static void q5_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 176, k_prepare, q5_k_values);
}

static void q6_k_prepare(struct parts *parts, const uint8_t *src)
{
    _mm512_store_ps(parts->d, _mm512_mul_ps(last_half(src + 208), signed_bytes(src + 192)));
}

KERNEL_INLINE void put_sixteen(float *v, __m128i codes, const float *d)
{
    put(v, _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes)), all_of(d)));
}

/* 64 values: 4 low bits of the bytes of low, the next 2 of those of high. */
KERNEL_INLINE void put_sixes(float *v, __m512i low, __m512i high, const float *d)
{
    __m512i codes = chosen(_mm512_set1_epi8(15), low, high);

    codes = _mm512_and_si512(codes, _mm512_set1_epi8(63));
    codes = _mm512_sub_epi8(codes, _mm512_set1_epi8(32));
    put_sixteen(v, _mm512_castsi512_si128(codes), d);
    put_sixteen(v + 16, _mm512_extracti32x4_epi32(codes, 1), d + 1);
    put_sixteen(v + 32, _mm512_extracti32x4_epi32(codes, 2), d + 2);
    put_sixteen(v + 48, _mm512_extracti32x4_epi32(codes, 3), d + 3);
}

static void q6_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m512i up = _mm512_inserti64x4(_mm512_set1_epi16(2), _mm256_set1_epi16(4), 0);
    const __m512i down = _mm512_inserti64x4(_mm512_set1_epi16(2), _mm256_setzero_si256(), 0);

    KERNEL_UNROLL
    for (int i = 0; i < 2; i++) {
        __m512i low = _mm512_loadu_si512(src + 64 * i);
        __m512i high = _mm512_broadcast_i64x4(load32(src + 128 + 32 * i));
        put_sixes(dst + 128 * i, low, _mm512_sllv_epi16(high, up), parts->d + 8 * i);
        put_sixes(dst + 128 * i + 64, _mm512_srli_epi16(low, 4), _mm512_srlv_epi16(high, down),
                  parts->d + 8 * i + 4);
    }
}

static void q6_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 210, q6_k_prepare, q6_k_values);
}

static void iq4_xs_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i fours = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i twos = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32((int)word32(src + 4)), fours);
    __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(word16(src + 2)), twos);

    low = _mm256_and_si256(low, _mm256_set1_epi32(15));
    high = _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4);
    __m256i s = _mm256_sub_epi32(_mm256_or_si256(low, high), _mm256_set1_epi32(32));
    __m256 d = _mm256_broadcastss_ps(halves(src));
    _mm256_store_ps(parts->d, _mm256_mul_ps(d, _mm256_cvtepi32_ps(s)));
}

static void iq4_xs_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m512 values = from_bytes16(ggfs_grids_iq4nl);

    KERNEL_UNROLL
    for (int g = 0; g < 8; g++)
        put_nibbles(dst + 32 * g, _mm512_mul_ps(values, all_of(parts->d + g)), src + 8 + 16 * g);
}

static void iq4_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 136, iq4_xs_prepare, iq4_xs_values);
}

/* --- IQ1 ---
 *
 * An index of 11 bits, and the sign of delta as one more, is too long to be looked up by permutes:
 * entries are loaded one by one. */

/* 32 low bytes of indexes, and words with four bits above them. */
KERNEL_INLINE void store_index(struct parts *parts, const uint8_t *low, __m512i high)
{
    high = _mm512_and_si512(high, _mm512_set1_epi16(0xf00));
    _mm512_storeu_si512(parts->index, _mm512_or_si512(_mm512_cvtepu8_epi16(load32(low)), high));
}

/* What the digits stand for with delta positive, and negative. */
KERNEL_INLINE __m512 iq1_table(const float *d)
{
    const __m256 values = _mm256_setr_ps(-0.875f, 0.125f, 1.125f, 0, -1.125f, -0.125f, 0.875f, 0);

    return _mm512_mul_ps(_mm512_broadcast_f32x8(values), all_of(d));
}

KERNEL_INLINE __m512i iq1_entry(uint64_t index)
{
    return _mm512_set1_epi32((int)ggfs_grids.iq1_delta[(uint16_t)index]);
}

KERNEL_INLINE void put_entries(float *v, __m512 table, uint64_t index)
{
    const __m512i shifts = LANES16(0, 3, 6, 9, 12, 15, 18, 21, 0, 3, 6, 9, 12, 15, 18, 21);
    __m512i both = _mm512_mask_mov_epi32(iq1_entry(index), 0xff00, iq1_entry(index >> 16));

    put(v, pick(table, _mm512_srlv_epi32(both, shifts)));
}

KERNEL_INLINE uint64_t four_indexes(const struct parts *parts, int i)
{
    return word64((const uint8_t *)(parts->index + i));
}

static void iq1_s_prepare(struct parts *parts, const uint8_t *src)
{
    const __m512i to_bit8 = _mm512_set1_epi64(0x0000000200050008); /* the last by one right */
    const __m128i fourfold = _mm_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9);
    __m128i w = load16(src + 34);
    __m512i x = _mm512_shuffle_epi8(_mm512_cvtepu16_epi64(w), _mm512_broadcast_i32x4(fourfold));
    __m512i high = _mm512_mask_srli_epi16(_mm512_sllv_epi16(x, to_bit8), 0x88888888, x, 1);
    __m512i n = twice(_mm512_castsi256_si512(_mm256_cvtepu16_epi32(w)));

    store_index(parts, src + 2, chosen(_mm512_set1_epi16(0x800), _mm512_srli_epi16(x, 4), high));
    n = _mm512_and_si512(_mm512_srli_epi32(n, 12), _mm512_set1_epi32(7));
    _mm512_store_ps(parts->d, _mm512_mul_ps(half(src), odd_numbers(n)));
}

static void iq1_s_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    KERNEL_UNROLL
    for (int i = 0; i < 16; i += 2) {
        uint64_t index = four_indexes(parts, 2 * i);
        __m512 table = iq1_table(parts->d + i);
        put_entries(dst + 16 * i, table, index);
        put_entries(dst + 16 * i + 16, table, index >> 32);
    }
}

static void iq1_s(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 50, iq1_s_prepare, iq1_s_values);
}

static void iq1_m_prepare(struct parts *parts, const uint8_t *src)
{
    const __m512i threes = LANES16(0, 3, 6, 9, 0, 3, 6, 9, 0, 3, 6, 9, 0, 3, 6, 9);
    uint64_t top = _pext_u64(word64(src + 48), 0xf000f000f000f000);
    __m512 d = _mm512_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi64_si128((int64_t)top)));
    __m512i n = _mm512_castsi256_si512(_mm256_cvtepu16_epi32(load8(src + 48)));
    __m512i x = bytes(src + 32);

    store_index(parts, src, _mm512_or_si512(_mm512_slli_epi32(x, 8), _mm512_slli_epi32(x, 20)));
    n = _mm512_permutexvar_epi32(_mm512_srli_epi32(LANES, 2), n);
    n = _mm512_and_si512(_mm512_srlv_epi32(n, threes), _mm512_set1_epi32(7));
    _mm512_store_ps(parts->d, _mm512_mul_ps(d, odd_numbers(n)));
}

static void iq1_m_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    KERNEL_UNROLL
    for (int i = 0; i < 16; i += 2) {
        uint64_t index = four_indexes(parts, 2 * i);
        put_entries(dst + 16 * i, iq1_table(parts->d + i), index);
        put_entries(dst + 16 * i + 16, iq1_table(parts->d + i + 1), index >> 32);
    }
}

static void iq1_m(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 56, iq1_m_prepare, iq1_m_values);
}

/* --- ternary --- */

static void tq2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 66, dst += 256) {
        __m512 table = _mm512_mul_ps(ternary_values(), last_half(src + 64));
        for (int i = 0; i < 4; i++) {
            __m512i codes = bytes(src + 16 * i);
            float *v = dst + i / 2 * 128 + i % 2 * 16;
            put(v, pick4(table, codes));
            put(v + 32, pick4(table, _mm512_srli_epi32(codes, 2)));
            put(v + 64, pick4(table, _mm512_srli_epi32(codes, 4)));
            put(v + 96, pick4(table, _mm512_srli_epi32(codes, 6)));
        }
    }
}

/* With x in the upper byte of a word, three times the word has the next digit above the word, and
 * what is left of x in it. */
KERNEL_INLINE __m512 word_digits(__m512 table, __m256i x)
{
    __m256i digits = _mm256_mulhi_epu16(x, _mm256_set1_epi16(3));

    return pick4(table, _mm512_cvtepu16_epi32(digits));
}

KERNEL_INLINE __m256i upper_bytes(__m128i x)
{
    return _mm256_slli_epi16(_mm256_cvtepu8_epi16(x), 8);
}

KERNEL_INLINE __m256i tripled(__m256i x)
{
    return _mm256_add_epi16(x, _mm256_add_epi16(x, x));
}

static void tq1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    const __m256i powers = _mm256_setr_epi16(1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27);

    for (; nblocks; nblocks--, src += 54, dst += 256) {
        __m512 table = _mm512_mul_ps(ternary_values(), last_half(src + 52));
        __m256i a = upper_bytes(load16(src)), b = upper_bytes(load16(src + 16));
        __m256i c = upper_bytes(load16(src + 32));
        __m256i last = upper_bytes(_mm_set1_epi32((int)word32(src + 48)));

        for (int i = 0; i < 5; i++) {
            put(dst + 32 * i, word_digits(table, a));
            put(dst + 32 * i + 16, word_digits(table, b));
            put(dst + 160 + 16 * i, word_digits(table, c));
            a = tripled(a);
            b = tripled(b);
            c = tripled(c);
        }
        put(dst + 240, word_digits(table, _mm256_mullo_epi16(last, powers)));
    }
}

/* clang-format off */
const struct ggfs_kernel_set ggfs_kernels_avx512 = {
    .name = "avx512",
    .needs = GGFS_CPU_AVX512,
    .fn = {
        [GGFS_TYPE_F64] = f64,
        [GGFS_TYPE_I8] = i8,
        [GGFS_TYPE_I64] = i64,
        [GGFS_TYPE_F8_E4M3] = f8_e4m3,
        [GGFS_TYPE_Q4_0] = q4_0,
        [GGFS_TYPE_Q4_1] = q4_1,
        [GGFS_TYPE_BF16] = bf16,
        [GGFS_TYPE_Q5_0] = q5_0,
        [GGFS_TYPE_Q5_1] = q5_1,
        [GGFS_TYPE_Q8_0] = q8_0,
        [GGFS_TYPE_Q8_1] = q8_1,
        [GGFS_TYPE_Q8_K] = q8_k,
        [GGFS_TYPE_Q1_0] = q1_0,
        [GGFS_TYPE_Q2_0] = q2_0,
        [GGFS_TYPE_MXFP4] = mxfp4,
        [GGFS_TYPE_NVFP4] = nvfp4,
        [GGFS_TYPE_Q2_K] = q2_k,
        [GGFS_TYPE_Q3_K] = q3_k,
        [GGFS_TYPE_Q4_K] = q4_k,
        [GGFS_TYPE_Q5_K] = q5_k,
        [GGFS_TYPE_Q6_K] = q6_k,
        [GGFS_TYPE_TQ1_0] = tq1_0,
        [GGFS_TYPE_TQ2_0] = tq2_0,
        [GGFS_TYPE_IQ1_S] = iq1_s,
        [GGFS_TYPE_IQ1_M] = iq1_m,
        [GGFS_TYPE_IQ4_NL] = iq4_nl,
        [GGFS_TYPE_IQ4_XS] = iq4_xs,
        [GGFS_TYPE_Q4_0_V1] = ggfs_avx512_q4_0_v1,
        [GGFS_TYPE_Q4_1_V1] = ggfs_avx512_q4_1_v1,
        [GGFS_TYPE_Q4_2_V1] = ggfs_avx512_q4_2_v1,
        [GGFS_TYPE_Q4_3_V1] = ggfs_avx512_q4_3_v1,
        [GGFS_TYPE_Q5_0_V1] = ggfs_avx512_q5_0_v1,
        [GGFS_TYPE_Q5_1_V1] = ggfs_avx512_q5_1_v1,
        [GGFS_TYPE_Q8_0_V1] = ggfs_avx512_q8_0_v1,
        [GGFS_TYPE_Q4_0_V2] = ggfs_avx512_q4_0_v2,
        [GGFS_TYPE_Q4_1_V2] = ggfs_avx512_q4_1_v2,
        [GGFS_TYPE_Q8_0_V2] = ggfs_avx512_q8_0_v1,
    },
};
/* clang-format on */
