/* SPDX-License-Identifier: MIT */
/* avx2.c - kernels for AVX2, FMA and F16C. Blocks are drawn in scalar.c.
 *
 * The common ways:
 * - Nibbles are split in lanes. Other codes are brought to bytes, 32 at a time, and those to floats
 *   by extension and conversion; where they stand for other numbers a shuffle of bytes looks these
 *   up first.
 * - Codes of two bits pick out of a table of floats, by a permute that looks at two bits only.
 * - Multiply and add are fused where the scale is a half: the product is exact there.
 * - Scales of parts are computed for a few blocks at once, stored, and loaded into all lanes one by
 *   one (`batched`). */
#include <config.h>

#include "kernels/cpu.h"
#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/sets.h"
#include "kernels/words.h"
#include "kernels/x86/avx2.h"
#include "kernels/x86/legacy.h"

/* --- one value a block --- */

typedef __m256 floats_fn(const uint8_t *src);

/* Eight values of bytes_each bytes at a time; the last ones out of a copy. */
KERNEL_INLINE void each8(float *dst, const uint8_t *src, size_t n, size_t bytes_each,
                         floats_fn *floats)
{
    for (; n >= 32; n -= 32, src += 32 * bytes_each, dst += 32) {
        put(dst, floats(src));
        put(dst + 8, floats(src + 8 * bytes_each));
        put(dst + 16, floats(src + 16 * bytes_each));
        put(dst + 24, floats(src + 24 * bytes_each));
    }
    for (; n >= 8; n -= 8, src += 8 * bytes_each, dst += 8)
        put(dst, floats(src));
    if (n) {
        uint8_t rest[8 * 8] = {0};
        float values[8];
        memcpy(rest, src, n * bytes_each);
        put(values, floats(rest));
        memcpy(dst, values, n * sizeof *dst);
    }
}

KERNEL_INLINE __m256 floats_of_f16(const uint8_t *src)
{
    return _mm256_cvtph_ps(load16(src));
}

KERNEL_INLINE __m256 floats_of_bf16(const uint8_t *src)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load16(src)), 16));
}

KERNEL_INLINE __m256 floats_of_i16(const uint8_t *src)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load16(src)));
}

KERNEL_INLINE __m256 floats_of_i32(const uint8_t *src)
{
    return _mm256_cvtepi32_ps(load32(src));
}

KERNEL_INLINE __m256 floats_of_f64(const uint8_t *src)
{
    __m128 low = _mm256_cvtpd_ps(_mm256_castsi256_pd(load32(src)));

    return _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                _mm256_cvtpd_ps(_mm256_castsi256_pd(load32(src + 32))), 1);
}

/* A half has the fraction's bits on top of its own ten and an exponent with a bias greater by 8, so
 * that 256 times the half is the value, subnormals too. Adding 0x80 carries into bit 14 where all
 * bits below are ones: a NaN. */
KERNEL_INLINE __m256 floats_of_e4m3(const uint8_t *src)
{
    __m128i x = _mm_slli_epi16(_mm_cvtepi8_epi16(load8(src)), 7);

    x = _mm_and_si128(x, _mm_set1_epi16((int16_t)0xbf80));
    __m128i carry = _mm_add_epi16(x, _mm_set1_epi16(0x80));
    x = _mm_or_si128(x, _mm_and_si128(carry, _mm_set1_epi16(0x4000)));
    return _mm256_mul_ps(_mm256_cvtph_ps(x), _mm256_set1_ps(256));
}

static void f16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, floats_of_f16);
}

static void bf16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, floats_of_bf16);
}

static void i8(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 1, signed_bytes);
}

static void i16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, floats_of_i16);
}

static void i32(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 4, floats_of_i32);
}

static void f64(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 8, floats_of_f64);
}

static void f8_e4m3(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 1, floats_of_e4m3);
}

static void f32(float *dst, const uint8_t *src, size_t nblocks)
{
    memcpy(dst, src, nblocks * sizeof *dst);
}

/* --- blocks of 32, 64, 128 --- */

/* Nibbles through a table of bytes, times d. */
KERNEL_INLINE void put_coded(float *v, const uint8_t *q, const int8_t *codes, __m256 d)
{
    put_32(v, _mm256_shuffle_epi8(both_halves((const uint8_t *)codes), nibbles(q)), d);
}

KERNEL_INLINE void q4_0_block(float *dst, const uint8_t *src)
{
    put_nibbles_less_8(dst, src + 2, half(src));
}

static void q4_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 32, q4_0_block);
}

KERNEL_INLINE void q4_1_block(float *dst, const uint8_t *src)
{
    __m256 d = half(src), m = half(src + 2);

    KERNEL_UNROLL
    for (int i = 0; i < 16; i += 8) {
        __m256i q = bytes(src + 4 + i);
        put_fused(dst + i, low_nibbles(q), d, m);
        put_fused(dst + 16 + i, _mm256_srli_epi32(q, 4), d, m);
    }
}

static void q4_1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_1_block);
}

/* q - 16 is q with the four upper bits set, where the fifth is not. */
KERNEL_INLINE void q5_0_block(float *dst, const uint8_t *src)
{
    __m256i upper = _mm256_andnot_si256(bytes_of_bits(src + 2), _mm256_set1_epi8((char)0xf0));

    put_32(dst, _mm256_or_si256(nibbles(src + 6), upper), half(src));
}

static void q5_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 22, 32, q5_0_block);
}

KERNEL_INLINE void q5_1_block(float *dst, const uint8_t *src)
{
    __m256i fifth = _mm256_and_si256(bytes_of_bits(src + 4), _mm256_set1_epi8(16));

    put_32_plus(dst, _mm256_or_si256(nibbles(src + 8), fifth), half(src), half(src + 2));
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
    __m256 d = _mm256_set1_ps(float_at(src));

    for (int i = 0; i < 256; i += 32)
        put_scaled(dst + i, src + 4 + i, d);
}

static void q8_k(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 292, 256, q8_k_block);
}

/* A bit is moved to the sign of its lane, to turn minus d. */
KERNEL_INLINE void q1_0_block(float *dst, const uint8_t *src)
{
    const __m256i shifts = LANES8(31, 30, 29, 28, 27, 26, 25, 24);
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 minus = _mm256_xor_ps(half(src), sign);

    KERNEL_UNROLL
    for (int i = 0; i < 16; i++) {
        __m256i bits = _mm256_sllv_epi32(_mm256_set1_epi32(src[2 + i]), shifts);
        put(dst + 8 * i, _mm256_xor_ps(minus, _mm256_and_ps(_mm256_castsi256_ps(bits), sign)));
    }
}

static void q1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 128, q1_0_block);
}

/* -1, 0, 1, 2 */
KERNEL_INLINE __m256 ternary_values(void)
{
    return _mm256_setr_ps(-1, 0, 1, 2, -1, 0, 1, 2);
}

/* By two bits; the table has the same four values in both halves. */
KERNEL_INLINE __m256 pick4(__m256 table, __m256i codes)
{
    return _mm256_permutevar_ps(table, codes);
}

KERNEL_INLINE void q2_0_block(float *dst, const uint8_t *src)
{
    const __m256i low = LANES8(0, 2, 4, 6, 8, 10, 12, 14);
    const __m256i high = LANES8(16, 18, 20, 22, 24, 26, 28, 30);
    __m256 table = _mm256_mul_ps(ternary_values(), half(src));

    KERNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        __m256i codes = _mm256_set1_epi32((int)word32(src + 2 + 4 * i));
        put(dst + 16 * i, pick4(table, _mm256_srlv_epi32(codes, low)));
        put(dst + 16 * i + 8, pick4(table, _mm256_srlv_epi32(codes, high)));
    }
}

static void q2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 64, q2_0_block);
}

KERNEL_INLINE void iq4_nl_block(float *dst, const uint8_t *src)
{
    put_coded(dst, src + 2, ggfs_grids_iq4nl, half(src));
}

static void iq4_nl(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 18, 32, iq4_nl_block);
}

KERNEL_INLINE void mxfp4_block(float *dst, const uint8_t *src)
{
    put_coded(dst, src + 1, ggfs_grids_fp4, all_of(&ggfs_grids.e8m0[src[0]]));
}

static void mxfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 17, 32, mxfp4_block);
}

/* Two parts of 16 values, each with its scale, whose low nibbles are 8 bytes before the high ones.
 */
KERNEL_INLINE void put_fp4(float *v, const uint8_t *q, const uint8_t *scales)
{
    __m128i x = load16(q), low = _mm_and_si128(x, _mm_set1_epi8(15));
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(15));
    __m128i codes = load16((const uint8_t *)ggfs_grids_fp4);

    put_sixteen(v, _mm_shuffle_epi8(codes, _mm_unpacklo_epi64(low, high)),
                all_of(&ggfs_grids.ue4m3[scales[0]]));
    put_sixteen(v + 16, _mm_shuffle_epi8(codes, _mm_unpackhi_epi64(low, high)),
                all_of(&ggfs_grids.ue4m3[scales[1]]));
}

KERNEL_INLINE void nvfp4_block(float *dst, const uint8_t *src)
{
    put_fp4(dst, src + 4, src);
    put_fp4(dst + 32, src + 20, src + 2);
}

static void nvfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 36, 64, nvfp4_block);
}

/* --- blocks of 256 with scales of parts --- */

/* What is known of a block before its values are put. */
struct parts {
    _Alignas(32) float d[16];
    float m[16];
    uint16_t index[64]; /* of entries of iq1; where those of iq2 and iq3 begin */
    uint8_t signs[32];  /* of eight values each */
};

typedef void prepare_fn(struct parts *parts, const uint8_t *src);
typedef void values_fn(float *dst, const uint8_t *src, const struct parts *parts);

/* Eight blocks at a time, so that what one waits for others can hide. */
KERNEL_INLINE void batched(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                           prepare_fn *prepare, values_fn *values)
{
    struct parts parts[8];

    while (nblocks) {
        size_t n = nblocks < 8 ? nblocks : 8;
        for (size_t i = 0; i < n; i++)
            prepare(&parts[i], src + block_bytes * i);
        for (size_t i = 0; i < n; i++, src += block_bytes, dst += 256)
            values(dst, src, &parts[i]);
        nblocks -= n;
    }
}

/* 16 signed bytes times d. */
KERNEL_INLINE void store_scaled(float *out, __m128i x, __m256 d)
{
    put_sixteen(out, x, d);
}

static void q2_k_prepare(struct parts *parts, const uint8_t *src)
{
    const __m128i low = _mm_set1_epi8(15);
    __m128i s = load16(src);

    store_scaled(parts->d, _mm_and_si128(s, low), half(src + 80));
    store_scaled(parts->m, _mm_and_si128(_mm_srli_epi16(s, 4), low), half(src + 82));
}

/* 8 bytes of strided pairs make half of each of four groups, 32 values apart. */
static void q2_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m256 digits = _mm256_setr_ps(0, 1, 2, 3, 0, 1, 2, 3);

    for (int i = 0; i < 4; i++) {
        int group = i / 2 * 8 + i % 2;
        __m256i first = bytes(src + 16 + 16 * i), second = bytes(src + 24 + 16 * i);
        KERNEL_UNROLL
        for (int r = 0; r < 8; r += 2) {
            __m256 table =
                _mm256_fmsub_ps(digits, all_of(parts->d + group + r), all_of(parts->m + group + r));
            float *v = dst + 16 * (group + r);
            put(v, pick4(table, _mm256_srli_epi32(first, r)));
            put(v + 8, pick4(table, _mm256_srli_epi32(second, r)));
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
    __m128i x = load8(src + 96), low = _mm_unpacklo_epi64(x, _mm_srli_epi32(x, 4));
    __m128i high =
        _mm_srlv_epi32(_mm_set1_epi32((int)word32(src + 104)), _mm_setr_epi32(0, 2, 4, 6));

    low = _mm_and_si128(low, _mm_set1_epi8(15));
    high = _mm_slli_epi32(_mm_and_si128(high, _mm_set1_epi8(3)), 4);
    __m128i scales = _mm_sub_epi8(_mm_or_si128(low, high), _mm_set1_epi8(32));
    store_scaled(parts->d, scales, half(src + 108));
}

/* Two groups of 16 signed bytes. */
KERNEL_INLINE void put_groups(float *v, __m256i x, const float *d)
{
    put_sixteen(v, _mm256_castsi256_si128(x), all_of(d));
    put_sixteen(v + 16, upper_half(x), all_of(d + 1));
}

static void q3_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m256i three = _mm256_set1_epi8(3), four = _mm256_set1_epi8(4);
    __m256i h = load32(src);

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++) {
        __m256i q = _mm256_srli_epi16(load32(src + 32 + i / 4 * 32), 2 * (i % 4));
        __m256i high = i < 2 ? _mm256_slli_epi16(h, 2 - i) : _mm256_srli_epi16(h, i - 2);
        q = _mm256_or_si256(_mm256_and_si256(q, three), _mm256_and_si256(high, four));
        put_groups(dst + 32 * i, _mm256_sub_epi8(q, four), parts->d + 2 * i);
    }
}

static void q3_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 110, q3_k_prepare, q3_k_values);
}

/* Eight scales into d, eight minimums with the sign turned into m; of Q4_K and Q5_K. */
static void k_prepare(struct parts *parts, const uint8_t *src)
{
    __m128i x = load16(src); /* d and dmin, then three words of scales */
    __m128i top = _mm_srlv_epi32(_mm_shuffle_epi32(x, 0xa5), _mm_setr_epi32(0, 2, 0, 2));
    __m128i low = _mm_srlv_epi32(_mm_shuffle_epi32(x, 0xff), _mm_setr_epi32(0, 0, 0, 4));

    top = _mm_and_si128(top, _mm_setr_epi32(0x3f3f3f3f, 0x30303030, 0x3f3f3f3f, 0x30303030));
    low = _mm_and_si128(low, _mm_setr_epi32(0, 0x0f0f0f0f, 0, 0x0f0f0f0f));
    __m128i codes = _mm_or_si128(top, low);
    __m256 minus_min = _mm256_xor_ps(half(src + 2), _mm256_set1_ps(-0.0f));
    put_eight(parts->d, codes, half(src));
    put_eight(parts->m, _mm_unpackhi_epi64(codes, codes), minus_min);
}

static void q4_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    KERNEL_UNROLL
    for (int j = 0; j < 8; j += 2, dst += 64) {
        const float *d = parts->d + j, *m = parts->m + j;
        KERNEL_UNROLL
        for (int i = 0; i < 32; i += 8) {
            __m256i q = bytes(src + 16 + 16 * j + i);
            put_fused(dst + i, low_nibbles(q), all_of(d), all_of(m));
            put_fused(dst + 32 + i, _mm256_srli_epi32(q, 4), all_of(d + 1), all_of(m + 1));
        }
    }
}

static void q4_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 144, k_prepare, q4_k_values);
}

static void q5_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m256i low = _mm256_set1_epi8(15), bit4 = _mm256_set1_epi8(16);
    __m256i h = load32(src + 16);

    KERNEL_UNROLL
    for (int j = 0; j < 8; j++, dst += 32) {
        __m256i q = _mm256_srli_epi16(load32(src + 48 + j / 2 * 32), 4 * (j % 2));
        __m256i fifth = j < 4 ? _mm256_slli_epi16(h, 4 - j) : _mm256_srli_epi16(h, j - 4);
        q = _mm256_or_si256(_mm256_and_si256(q, low), _mm256_and_si256(fifth, bit4));
        put_32_plus(dst, q, all_of(parts->d + j), all_of(parts->m + j));
    }
}

static void q5_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 176, k_prepare, q5_k_values);
}

static void q6_k_prepare(struct parts *parts, const uint8_t *src)
{
    store_scaled(parts->d, load16(src + 192), half(src + 208));
}

static void q6_k_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    const __m256i low_bits = _mm256_set1_epi8(15), high_bits = _mm256_set1_epi8(48);

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++) {
        int r = i % 4;
        __m256i q = load32(src + i / 4 * 64 + i % 2 * 32), h = load32(src + 128 + i / 4 * 32);
        q = _mm256_and_si256(_mm256_srli_epi16(q, r / 2 * 4), low_bits);
        h = r < 2 ? _mm256_slli_epi16(h, 4 - 2 * r) : _mm256_srli_epi16(h, 2 * r - 4);
        q = _mm256_or_si256(q, _mm256_and_si256(h, high_bits));
        put_groups(dst + 32 * i, _mm256_sub_epi8(q, _mm256_set1_epi8(32)), parts->d + 2 * i);
    }
}

static void q6_k(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 210, q6_k_prepare, q6_k_values);
}

static void iq4_xs_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i fours = LANES8(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i twos = LANES8(0, 2, 4, 6, 8, 10, 12, 14);
    __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32((int)word32(src + 4)), fours);
    __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(word16(src + 2)), twos);

    low = _mm256_and_si256(low, _mm256_set1_epi32(15));
    high = _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4);
    __m256i s = _mm256_sub_epi32(_mm256_or_si256(low, high), _mm256_set1_epi32(32));
    put(parts->d, _mm256_mul_ps(half(src), _mm256_cvtepi32_ps(s)));
}

static void iq4_xs_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    KERNEL_UNROLL
    for (int g = 0; g < 8; g++)
        put_coded(dst + 32 * g, src + 8 + 16 * g, ggfs_grids_iq4nl, all_of(parts->d + g));
}

static void iq4_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 136, iq4_xs_prepare, iq4_xs_values);
}

/* --- ternary --- */

KERNEL_INLINE void tq2_0_block(float *dst, const uint8_t *src)
{
    __m256 table = _mm256_mul_ps(ternary_values(), half(src + 64));

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++) {
        __m256i codes = bytes(src + 8 * i);
        float *v = dst + i / 4 * 128 + i % 4 * 8;
        put(v, pick4(table, codes));
        put(v + 32, pick4(table, _mm256_srli_epi32(codes, 2)));
        put(v + 64, pick4(table, _mm256_srli_epi32(codes, 4)));
        put(v + 96, pick4(table, _mm256_srli_epi32(codes, 6)));
    }
}

static void tq2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 66, 256, tq2_0_block);
}

/* With x in the upper byte of a word, three times the word has the next digit above the word, and
 * what is left of x in it. */
KERNEL_INLINE void put_digits(float *v, __m256 table, __m256i x)
{
    __m256i digits = _mm256_mulhi_epu16(x, _mm256_set1_epi16(3));

    put(v, pick4(table, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(digits))));
    put(v + 8, pick4(table, _mm256_cvtepu16_epi32(upper_half(digits))));
}

KERNEL_INLINE __m256i upper_bytes(__m128i x)
{
    return _mm256_slli_epi16(_mm256_cvtepu8_epi16(x), 8);
}

KERNEL_INLINE __m256i tripled(__m256i x)
{
    return _mm256_add_epi16(x, _mm256_add_epi16(x, x));
}

KERNEL_INLINE void tq1_0_block(float *dst, const uint8_t *src)
{
    const __m256i powers = _mm256_setr_epi16(1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27);
    __m256 table = _mm256_mul_ps(ternary_values(), half(src + 52));
    __m256i a = upper_bytes(load16(src)), b = upper_bytes(load16(src + 16));
    __m256i c = upper_bytes(load16(src + 32));
    __m256i last = upper_bytes(_mm_set1_epi32((int)word32(src + 48)));

    for (int i = 0; i < 5; i++) {
        put_digits(dst + 32 * i, table, a);
        put_digits(dst + 32 * i + 16, table, b);
        put_digits(dst + 160 + 16 * i, table, c);
        a = tripled(a);
        b = tripled(b);
        c = tripled(c);
    }
    put_digits(dst + 240, table, _mm256_mullo_epi16(last, powers));
}

static void tq1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 54, 256, tq1_0_block);
}

/* --- grids --- */

/* By d * (0.5 + n) * factor, in this order. */
KERNEL_INLINE __m256 grid_scales(const uint8_t *d, __m256i n, float factor)
{
    __m256 sum = _mm256_add_ps(_mm256_cvtepi32_ps(n), _mm256_set1_ps(0.5f));

    return _mm256_mul_ps(_mm256_mul_ps(half(d), sum), _mm256_set1_ps(factor));
}

/* Scales of 16 values each out of 8 bytes, the low nibble first. */
KERNEL_INLINE void store_nibble_scales(float *out, const uint8_t *d, const uint8_t *s)
{
    __m128i x = load8(s), both = _mm_unpacklo_epi8(x, _mm_srli_epi16(x, 4));

    both = _mm_and_si128(both, _mm_set1_epi8(15));
    put(out, grid_scales(d, _mm256_cvtepu8_epi32(both), 0.25f));
    put(out + 8, grid_scales(d, _mm256_cvtepu8_epi32(_mm_unpackhi_epi64(both, both)), 0.25f));
}

/* Eight scales, of 32 values each. */
KERNEL_INLINE void store_twice(float *out, __m256 scales)
{
    __m256 low = _mm256_unpacklo_ps(scales, scales), high = _mm256_unpackhi_ps(scales, scales);

    put(out, _mm256_permute2f128_ps(low, high, 0x20));
    put(out + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

/* Where rows of 16 bytes begin. */
KERNEL_INLINE __m256i rows_of(__m256i index)
{
    return _mm256_slli_epi16(index, 4);
}

/* Bytes of seven sign bits, with their parity for the eighth. */
KERNEL_INLINE __m256i with_parity(__m256i signs)
{
    const __m256i parity = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -128, -128, 0, -128, 0, 0, -128, -128, 0, 0, -128, 0, -128, -128, 0));
    __m256i folded = _mm256_xor_si256(signs, _mm256_srli_epi16(signs, 4));

    folded = _mm256_shuffle_epi8(parity, _mm256_and_si256(folded, _mm256_set1_epi8(15)));
    return _mm256_or_si256(signs, folded);
}

/* Eight words of four runs of seven sign bits, to a byte each with their parity for the eighth. */
KERNEL_INLINE __m256i eight_signs(__m256i words)
{
    __m256i x = _mm256_and_si256(words, _mm256_set1_epi32(0x7f));

    KERNEL_UNROLL
    for (int i = 1; i < 4; i++) {
        __m256i run =
            _mm256_and_si256(_mm256_slli_epi32(words, i), _mm256_set1_epi32(0x7f << 8 * i));
        x = _mm256_or_si256(x, run);
    }
    return with_parity(x);
}

KERNEL_INLINE uint64_t four_words(const uint16_t *w)
{
    return word64((const uint8_t *)w);
}

/* d or minus d for the eight of 32 values from 8 * i on, by their bits in each lane of signs. A
 * permute looks at two bits; the upper one is another value's. */
KERNEL_INLINE __m256 signed_scale(const float *d, __m256i signs, int i)
{
    const __m256 minus = _mm256_setr_ps(0, -0.0f, 0, -0.0f, 0, -0.0f, 0, -0.0f);
    const __m256i shifts =
        _mm256_add_epi32(LANES8(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(8 * i));

    return pick4(_mm256_xor_ps(all_of(d), minus), _mm256_srlv_epi32(signs, shifts));
}

/* Signs of 32 values, in each lane. */
KERNEL_INLINE __m256i signs_of(const struct parts *parts, int i)
{
    return _mm256_set1_epi32((int)word32(parts->signs + 4 * i));
}

/* Two offsets at once: loads are what the grids have too many of. */
KERNEL_INLINE uint32_t two_offsets(const uint16_t *index)
{
    return word32((const uint8_t *)index);
}

/* 16 values, number 8 * i of 32 and on. */
KERNEL_INLINE void put_iq2(float *v, const uint8_t *rows, const uint16_t *index, const float *d,
                           __m256i signs, int i)
{
    uint32_t offsets = two_offsets(index + i);
    __m256 x = _mm256_cvtph_ps(load16(rows + (uint16_t)offsets));
    __m256 y = _mm256_cvtph_ps(load16(rows + (offsets >> 16)));

    put(v + 8 * i, _mm256_mul_ps(x, signed_scale(d, signs, i)));
    put(v + 8 * i + 8, _mm256_mul_ps(y, signed_scale(d, signs, i + 1)));
}

/* 32 values have one or two scales. */
KERNEL_INLINE void iq2_values(float *dst, const void *grid, const struct parts *parts, int scales)
{
    const float *d = parts->d;

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++, dst += 32, d += scales) {
        __m256i signs = signs_of(parts, i);
        put_iq2(dst, grid, parts->index + 4 * i, d, signs, 0);
        put_iq2(dst, grid, parts->index + 4 * i, d + scales - 1, signs, 2);
    }
}

static void iq2_xxs_prepare(struct parts *parts, const uint8_t *src)
{
    __m256i x = load32(src + 2), y = load32(src + 34);
    __m256 xf = _mm256_castsi256_ps(x), yf = _mm256_castsi256_ps(y);
    __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(xf, yf, 0x88));
    __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(xf, yf, 0xdd));

    even = _mm256_permute4x64_epi64(even, 0xd8);
    odd = _mm256_permute4x64_epi64(odd, 0xd8);
    store32(parts->index, rows_of(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(even))));
    store32(parts->index + 16, rows_of(_mm256_cvtepu8_epi16(upper_half(even))));
    store32(parts->signs, eight_signs(odd));
    put(parts->d, grid_scales(src, _mm256_srli_epi32(odd, 28), 0.25f));
}

static void iq2_xxs_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    iq2_values(dst, ggfs_grids.iq2xxs_halves, parts, 1);
}

static void iq2_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 66, iq2_xxs_prepare, iq2_xxs_values);
}

static void iq2_xs_prepare(struct parts *parts, const uint8_t *src)
{
    __m256i x = load32(src + 2), y = load32(src + 34);

    store32(parts->index, rows_of(_mm256_and_si256(x, _mm256_set1_epi16(511))));
    store32(parts->index + 16, rows_of(_mm256_and_si256(y, _mm256_set1_epi16(511))));
    __m256i signs = _mm256_packus_epi16(_mm256_srli_epi16(x, 9), _mm256_srli_epi16(y, 9));
    store32(parts->signs, with_parity(_mm256_permute4x64_epi64(signs, 0xd8)));
    store_nibble_scales(parts->d, src, src + 66);
}

static void iq2_xs_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    iq2_values(dst, ggfs_grids.iq2xs_halves, parts, 2);
}

static void iq2_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 74, iq2_xs_prepare, iq2_xs_values);
}

/* 16 low bytes of an index with what goes above them. */
KERNEL_INLINE __m256i index16(const uint8_t *low, __m256i high)
{
    return _mm256_or_si256(_mm256_cvtepu8_epi16(load16(low)), high);
}

/* For four bytes at b, each four times: times a power of two a word, which moves a part to bits 8
 * up. */
KERNEL_INLINE __m256i high_bits(const uint8_t *b, __m256i powers, int mask)
{
    const __m256i fourfold =
        _mm256_setr_epi8(0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1, -1, 2, -1, 2, -1, 2,
                         -1, 2, -1, 3, -1, 3, -1, 3, -1, 3, -1);
    __m256i x = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word32(b)), fourfold);

    return _mm256_and_si256(_mm256_mullo_epi16(x, powers), _mm256_set1_epi16((int16_t)mask));
}

static void iq2_s_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i powers = _mm256_set1_epi64x(0x0004001000400100);

    KERNEL_UNROLL
    for (int i = 0; i < 32; i += 16) {
        __m256i high = high_bits(src + 66 + i / 4, powers, 0x300);
        store32(parts->index + i, rows_of(index16(src + 2 + i, high)));
    }
    store32(parts->signs, load32(src + 34));
    store_nibble_scales(parts->d, src, src + 74);
}

static void iq2_s_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    iq2_values(dst, ggfs_grids.iq2s_halves, parts, 2);
}

static void iq2_s(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 82, iq2_s_prepare, iq2_s_values);
}

/* Two entries of four values. */
KERNEL_INLINE __m256 two_rows(const uint8_t *rows, const uint16_t *index)
{
    uint32_t offsets = two_offsets(index);
    __m256i x = _mm256_castsi128_si256(load16(rows + (uint16_t)offsets));

    return _mm256_castsi256_ps(_mm256_inserti128_si256(x, load16(rows + (offsets >> 16)), 1));
}

KERNEL_INLINE void iq3_values(float *dst, const void *grid, const struct parts *parts)
{
    const uint16_t *index = parts->index;

    KERNEL_UNROLL
    for (int i = 0; i < 8; i++, dst += 32, index += 8) {
        __m256i signs = signs_of(parts, i);
        KERNEL_UNROLL
        for (int j = 0; j < 4; j++) {
            __m256 d = signed_scale(parts->d + i, signs, j);
            put(dst + 8 * j, _mm256_mul_ps(two_rows(grid, index + 2 * j), d));
        }
    }
}

static void iq3_xxs_prepare(struct parts *parts, const uint8_t *src)
{
    __m256i w = load32(src + 66);

    KERNEL_UNROLL
    for (int i = 0; i < 64; i += 16)
        store32(parts->index + i, rows_of(_mm256_cvtepu8_epi16(load16(src + 2 + i))));
    store32(parts->signs, eight_signs(w));
    put(parts->d, grid_scales(src, _mm256_srli_epi32(w, 28), 0.5f));
}

static void iq3_xxs_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    iq3_values(dst, ggfs_grids.iq3xxs_floats, parts);
}

static void iq3_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 98, iq3_xxs_prepare, iq3_xxs_values);
}

KERNEL_INLINE __m256 odd_numbers(__m256i n)
{
    return _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_add_epi32(n, n), _mm256_set1_epi32(1)));
}

static void iq3_s_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                           8192, 16384, -32768);
    __m256i n = _mm256_set1_epi32((int)word32(src + 106));

    KERNEL_UNROLL
    for (int i = 0; i < 64; i += 16) {
        __m256i h = _mm256_set1_epi16((int16_t)word16(src + 66 + i / 8));
        h = _mm256_cmpeq_epi16(_mm256_and_si256(h, bits), bits);
        h = _mm256_and_si256(h, _mm256_set1_epi16(0x100));
        store32(parts->index + i, rows_of(index16(src + 2 + i, h)));
    }
    store32(parts->signs, load32(src + 74));
    n = _mm256_srlv_epi32(n, LANES8(0, 4, 8, 12, 16, 20, 24, 28));
    n = _mm256_and_si256(n, _mm256_set1_epi32(15));
    put(parts->d, _mm256_mul_ps(half(src), odd_numbers(n)));
}

static void iq3_s_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    iq3_values(dst, ggfs_grids.iq3s_floats, parts);
}

static void iq3_s(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 110, iq3_s_prepare, iq3_s_values);
}

/* What the digits of iq1_delta stand for, with delta positive, and negative. */
KERNEL_INLINE __m256 iq1_table(const float *d)
{
    const __m256 values = _mm256_setr_ps(-0.875f, 0.125f, 1.125f, 0, -1.125f, -0.125f, 0.875f, 0);

    return _mm256_mul_ps(values, all_of(d));
}

KERNEL_INLINE void put_iq1(float *v, __m256 table, uint64_t index)
{
    const __m256i shifts = LANES8(0, 3, 6, 9, 12, 15, 18, 21);
    __m256i entry = _mm256_set1_epi32((int)ggfs_grids.iq1_delta[(uint16_t)index]);

    put(v, _mm256_permutevar8x32_ps(table, _mm256_srlv_epi32(entry, shifts)));
}

static void iq1_s_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i powers = _mm256_set1_epi64x(0x0001000400200100); /* the last is 1/2 */
    const __m256i fourfold = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5,
                                              4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7);
    __m256i n = _mm256_srli_epi32(_mm256_cvtepu16_epi32(load16(src + 34)), 12);

    for (int i = 0; i < 32; i += 16) {
        __m256i w = _mm256_broadcastq_epi64(load8(src + 34 + i / 2));
        w = _mm256_shuffle_epi8(w, fourfold);
        __m256i high = _mm256_mullo_epi16(w, powers);
        high = _mm256_blend_epi16(high, _mm256_srli_epi16(w, 1), 0x88);
        high = _mm256_and_si256(high, _mm256_set1_epi16(0x700));
        w = _mm256_and_si256(_mm256_srli_epi16(w, 4), _mm256_set1_epi16(0x800));
        store32(parts->index + i, index16(src + 2 + i, _mm256_or_si256(high, w)));
    }
    n = _mm256_and_si256(n, _mm256_set1_epi32(7));
    store_twice(parts->d, _mm256_mul_ps(half(src), odd_numbers(n)));
}

static void iq1_values(float *dst, const uint8_t *src, const struct parts *parts)
{
    (void)src;
    KERNEL_UNROLL
    for (int i = 0; i < 32; i += 4, dst += 32) {
        uint64_t index = four_words(parts->index + i);
        __m256 first = iq1_table(parts->d + i / 2), second = iq1_table(parts->d + i / 2 + 1);
        put_iq1(dst, first, index);
        put_iq1(dst + 8, first, index >> 16);
        put_iq1(dst + 16, second, index >> 32);
        put_iq1(dst + 24, second, index >> 48);
    }
}

static void iq1_s(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 50, iq1_s_prepare, iq1_values);
}

static void iq1_m_prepare(struct parts *parts, const uint8_t *src)
{
    const __m256i threes = LANES8(0, 3, 6, 9, 12, 15, 18, 21);
    uint64_t w = word64(src + 48), top = _pext_u64(w, 0xf000f000f000f000);
    __m256 d = _mm256_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi64_si128((int64_t)top)));
    uint64_t scales = _pext_u64(w, 0x0fff0fff0fff0fff);
    __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32((int)scales), threes);
    __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32((int)(scales >> 24)), threes);

    for (int i = 0; i < 32; i += 16) {
        __m256i x = _mm256_cvtepu8_epi32(load8(src + 32 + i / 2));
        x = _mm256_or_si256(_mm256_slli_epi32(x, 8), _mm256_slli_epi32(x, 20));
        store32(parts->index + i, index16(src + i, _mm256_and_si256(x, _mm256_set1_epi16(0xf00))));
    }
    low = _mm256_and_si256(low, _mm256_set1_epi32(7));
    high = _mm256_and_si256(high, _mm256_set1_epi32(7));
    put(parts->d, _mm256_mul_ps(d, odd_numbers(low)));
    put(parts->d + 8, _mm256_mul_ps(d, odd_numbers(high)));
}

static void iq1_m(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 56, iq1_m_prepare, iq1_values);
}

/* clang-format off */
const struct ggfs_kernel_set ggfs_kernels_avx2 = {
    .name = "avx2",
    .needs = GGFS_CPU_AVX2,
    .fn = {
        [GGFS_TYPE_F32] = f32,
        [GGFS_TYPE_F16] = f16,
        [GGFS_TYPE_BF16] = bf16,
        [GGFS_TYPE_F64] = f64,
        [GGFS_TYPE_I8] = i8,
        [GGFS_TYPE_I16] = i16,
        [GGFS_TYPE_I32] = i32,
        [GGFS_TYPE_F8_E4M3] = f8_e4m3,
        [GGFS_TYPE_Q4_0] = q4_0,
        [GGFS_TYPE_Q4_1] = q4_1,
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
        [GGFS_TYPE_IQ2_XXS] = iq2_xxs,
        [GGFS_TYPE_IQ2_XS] = iq2_xs,
        [GGFS_TYPE_IQ2_S] = iq2_s,
        [GGFS_TYPE_IQ3_XXS] = iq3_xxs,
        [GGFS_TYPE_IQ3_S] = iq3_s,
        [GGFS_TYPE_IQ4_NL] = iq4_nl,
        [GGFS_TYPE_IQ4_XS] = iq4_xs,
        [GGFS_TYPE_Q4_0_V1] = ggfs_avx2_q4_0_v1,
        [GGFS_TYPE_Q4_1_V1] = ggfs_avx2_q4_1_v1,
        [GGFS_TYPE_Q4_2_V1] = ggfs_avx2_q4_2_v1,
        [GGFS_TYPE_Q4_3_V1] = ggfs_avx2_q4_3_v1,
        [GGFS_TYPE_Q5_0_V1] = ggfs_avx2_q5_0_v1,
        [GGFS_TYPE_Q5_1_V1] = ggfs_avx2_q5_1_v1,
        [GGFS_TYPE_Q8_0_V1] = ggfs_avx2_q8_0_v1,
        [GGFS_TYPE_Q4_0_V2] = ggfs_avx2_q4_0_v2,
        [GGFS_TYPE_Q4_1_V2] = ggfs_avx2_q4_1_v2,
        [GGFS_TYPE_Q8_0_V2] = ggfs_avx2_q8_0_v1,
    },
};
/* clang-format on */
