/* SPDX-License-Identifier: MIT */
/* vbmi.c - kernels that permutes of bytes make faster: AVX-512 with VBMI. Blocks are drawn in
 * scalar.c.
 *
 * A permute of bytes looks 64 indexes up in 128 table entries at once. The tables of low and of
 * high bytes of a grid's entries are searched for two blocks at a time, by as many permutes as it
 * takes, and higher bits of the index choose among the results. What comes out is digits, which
 * then pick the values as in avx512.c. */
#include <config.h>

#include "kernels/cpu.h"
#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/sets.h"
#include "kernels/words.h"
#include "kernels/x86/avx512.h"
#include "kernels/x86/legacy.h"
#include "kernels/x86/vbmi.h"

/* --- indexes to entries --- */

/* 64 indexes: a byte each, and masks for the bits above it. */
struct index {
    __m512i low;
    __mmask64 bit8, bit9;
};

KERNEL_INLINE __m512i find128(const uint8_t *table, __m512i low)
{
    return _mm512_permutex2var_epi8(_mm512_load_si512(table), low, _mm512_load_si512(table + 64));
}

KERNEL_INLINE __m512i find256(const uint8_t *table, __m512i low)
{
    return _mm512_mask_mov_epi8(find128(table, low), _mm512_movepi8_mask(low),
                                find128(table + 128, low));
}

KERNEL_INLINE __m512i find512(const uint8_t *table, const struct index *x)
{
    return _mm512_mask_mov_epi8(find256(table, x->low), x->bit8, find256(table + 256, x->low));
}

KERNEL_INLINE __m512i find1024(const uint8_t *table, const struct index *x)
{
    return _mm512_mask_mov_epi8(find512(table, x), x->bit9, find512(table + 512, x));
}

/* --- F8_E4M3 --- */

/* Codes in the order that unpacking bytes to words and words to floats turns round: of 16 codes in
 * each quarter 4 go to each of four registers, so quarter i of register j needs codes 16j + 4i. */
static void f8_e4m3_64(float *dst, __m512i codes)
{
    const __m512i order = LANES16(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i x = _mm512_permutexvar_epi32(order, codes), zero = _mm512_setzero_si512();
    __m512i low = find128(ggfs_grids.e4m3_bytes[0], x);
    __m512i high = find128(ggfs_grids.e4m3_bytes[1], x);

    high = chosen(_mm512_set1_epi8((char)0x80), x, high);
    __m512i first = _mm512_unpacklo_epi8(low, high), second = _mm512_unpackhi_epi8(low, high);
    put(dst, _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, first)));
    put(dst + 16, _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, first)));
    put(dst + 32, _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, second)));
    put(dst + 48, _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, second)));
}

static void f8_e4m3(float *dst, const uint8_t *src, size_t nblocks)
{
    float rest[64];

    for (; nblocks >= 64; nblocks -= 64, src += 64, dst += 64)
        f8_e4m3_64(dst, _mm512_loadu_si512(src));
    if (nblocks == 0)
        return;
    f8_e4m3_64(rest, _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, (unsigned)nblocks), src));
    memcpy(dst, rest, nblocks * sizeof *dst);
}

/* --- Q5_0, Q5_1 --- */

/* Values 2k and 2k + 1 in two bytes, 2k + 16 and 2k + 17 above them. */
KERNEL_INLINE struct nibble_order split_order(void)
{
    const __m512i steps = LANES16(0, 0, 0x02020202, 0, 0x04040404, 0, 0x06060606, 0, 0x08080808, 0,
                                  0x0a0a0a0a, 0, 0x0c0c0c0c, 0, 0x0e0e0e0e, 0);

    return (struct nibble_order){steps, 1, 0x1c180c0814100400};
}

static void q5_0(float *dst, const uint8_t *src, size_t nblocks)
{
    each_q5_0(dst, src, nblocks, split_order());
}

static void q5_1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_q5_1(dst, src, nblocks, split_order());
}

/* --- blocks of 256 with scales of parts --- */

typedef __m512 scales_fn(const uint8_t *src);
typedef void scaled_fn(float *dst, const uint8_t *src, const float *d);

KERNEL_INLINE void each_scaled(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                               scales_fn *scales, scaled_fn *values)
{
    _Alignas(64) float d[BATCH][16];

    while (nblocks) {
        size_t n = nblocks < BATCH ? nblocks : BATCH;
        for (size_t i = 0; i < n; i++)
            _mm512_store_ps(d[i], scales(src + block_bytes * i));
        for (size_t i = 0; i < n; i++, src += block_bytes, dst += 256)
            values(dst, src, d[i]);
        nblocks -= n;
    }
}

/* --- Q5_K --- */

/* In each lane byte i, byte i + 16, and both once more. */
KERNEL_INLINE __m512i bytes_twice(const uint8_t *b)
{
    const __m512i first = LANES16(0, 0x01010101, 0x02020202, 0x03030303, 0x04040404, 0x05050505,
                                  0x06060606, 0x07070707, 0x08080808, 0x09090909, 0x0a0a0a0a,
                                  0x0b0b0b0b, 0x0c0c0c0c, 0x0d0d0d0d, 0x0e0e0e0e, 0x0f0f0f0f);
    __m512i places = _mm512_add_epi8(first, _mm512_set1_epi32(0x10001000));

    return _mm512_permutexvar_epi8(places, _mm512_castsi256_si512(load32(b)));
}

KERNEL_INLINE struct table32 table32_min(const float *scale)
{
    return (struct table32){table_min(0, scale), table_min(16, scale)};
}

/* The fifth bits of two groups of 32 values lie beside each other. */
static void q5_k_values(float *dst, const uint8_t *src, const float *d)
{
    const __m512i nibbles = _mm512_set1_epi64(0x3c3428201c140800);
    const __m512i fifths = _mm512_set1_epi64(0x352d241c150d043c); /* four bits lower */
    __m512i h = bytes_twice(src + 16);

    KERNEL_UNROLL
    for (int j = 0; j < 8; j += 2, dst += 64) {
        __m512i codes = with_fifths(nibbles, bytes_twice(src + 48 + 16 * j),
                                    _mm512_add_epi8(fifths, _mm512_set1_epi8((char)j)), h);
        put_fives(dst, table32_min(d + j), codes);
        put_fives(dst + 32, table32_min(d + j + 1), _mm512_srli_epi32(codes, 16));
    }
}

static void q5_k(float *dst, const uint8_t *src, size_t nblocks)
{
    each_scaled(dst, src, nblocks, 176, k_scales, q5_k_values);
}

/* --- Q6_K ---
 *
 * Codes are brought to bytes, 64 at a time. One permute makes floats of 16 of them: a byte of the
 * code below the bytes of 2^23, in which a unit is the last bit, so that taking 2^23 off leaves the
 * code. */

/* The codes from 16 * i on, less 32. */
KERNEL_INLINE __m512 sixteen_of(__m512i codes, int i)
{
    const __m512i above = _mm512_castps_si512(_mm512_set1_ps(0x1p23f));
    /* Places from 64 on are those of the other register, `above`. */
    __m512i places = _mm512_add_epi32(LANES, _mm512_set1_epi32(0x43424100 + 16 * i));
    __m512i floats = _mm512_permutex2var_epi8(codes, places, above);

    return _mm512_sub_ps(_mm512_castsi512_ps(floats), _mm512_set1_ps(0x1p23f + 32));
}

/* 64 values: 4 low bits of the bytes of low, the next 2 of those of high. */
KERNEL_INLINE void put_sixes(float *v, __m512i low, __m512i high, const float *d)
{
    __m512i codes = chosen(_mm512_set1_epi8(15), low, high);

    codes = _mm512_and_si512(codes, _mm512_set1_epi8(63));
    KERNEL_UNROLL
    for (int i = 0; i < 4; i++)
        put(v + 16 * i, _mm512_mul_ps(sixteen_of(codes, i), all_of(d + i)));
}

KERNEL_INLINE void q6_k_values(float *dst, const uint8_t *src, const float *d)
{
    const __m512i up = _mm512_inserti64x4(_mm512_set1_epi16(2), _mm256_set1_epi16(4), 0);
    const __m512i down = _mm512_inserti64x4(_mm512_set1_epi16(2), _mm256_setzero_si256(), 0);

    KERNEL_UNROLL
    for (int i = 0; i < 2; i++, dst += 128, d += 8) {
        __m512i low = _mm512_loadu_si512(src + 64 * i);
        __m512i high = _mm512_broadcast_i64x4(load32(src + 128 + 32 * i));
        put_sixes(dst, low, _mm512_sllv_epi16(high, up), d);
        put_sixes(dst + 64, _mm512_srli_epi16(low, 4), _mm512_srlv_epi16(high, down), d + 4);
    }
}

KERNEL_INLINE __m512 q6_k_scales(const uint8_t *src)
{
    return _mm512_mul_ps(last_half(src + 208), signed_bytes(src + 192));
}

static void q6_k(float *dst, const uint8_t *src, size_t nblocks)
{
    each_scaled(dst, src, nblocks, 210, q6_k_scales, q6_k_values);
}

/* --- batches of blocks --- */

/* What is known of a block before its values are put. */
struct parts {
    _Alignas(64) float d[16]; /* of 16 values each */
    _Alignas(32) uint16_t signs[16];
};

/* Two blocks. Entries of eight values: 16 bits each, in the order that unpacking bytes leaves: of
 * each 16 of the 64 entries the first eight in codes[0], the others in codes[1]. */
struct pair {
    _Alignas(64) uint8_t codes[2][64];
    struct parts parts[2];
};

typedef void prepare_fn(struct pair *pair, const uint8_t *first, const uint8_t *second);
typedef void values_fn(float *dst, const struct parts *parts, const uint8_t *codes);

KERNEL_INLINE void batched(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                           prepare_fn *prepare, values_fn *values)
{
    struct pair pairs[BATCH / 2];

    while (nblocks) {
        size_t n = nblocks < BATCH ? nblocks : BATCH;
        for (size_t i = 0; i < n; i += 2) {
            const uint8_t *first = src + block_bytes * i;
            prepare(&pairs[i / 2], first, i + 1 < n ? first + block_bytes : first);
        }
        for (size_t i = 0; i < n; i++, dst += 256)
            values(dst, &pairs[i / 2].parts[i % 2], pairs[i / 2].codes[0] + 32 * (i % 2));
        src += block_bytes * n;
        nblocks -= n;
    }
}

KERNEL_INLINE void store_codes(struct pair *pair, __m512i low, __m512i high)
{
    _mm512_store_si512(pair->codes[0], _mm512_unpacklo_epi8(low, high));
    _mm512_store_si512(pair->codes[1], _mm512_unpackhi_epi8(low, high));
}

/* The digits of 16 values out of two entries, number 2 * i of the block and the next. */
KERNEL_INLINE __m512i digits(const uint8_t *codes, int i)
{
    const __m512i shifts = _mm512_slli_epi32(LANES, 1);
    uint32_t both = word32(codes + i % 8 / 4 * 64 + i / 8 * 16 + i % 4 * 4);

    return _mm512_srlv_epi32(_mm512_set1_epi32((int)both), shifts);
}

KERNEL_INLINE __m512i joined(__m256i a, __m256i b)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

/* --- scales --- */

/* d * (0.5 + n) * factor, in this order. */
KERNEL_INLINE __m512 grid_scales(const uint8_t *d, __m512 n, float factor)
{
    __m512 scales = _mm512_mul_ps(half(d), _mm512_add_ps(n, _mm512_set1_ps(0.5f)));

    return _mm512_mul_ps(scales, _mm512_set1_ps(factor));
}

/* 8 bytes to 16 nibbles, the low one first. */
KERNEL_INLINE __m512 nibbles16(__m128i x)
{
    __m128i both = _mm_unpacklo_epi8(x, _mm_srli_epi16(x, 4));

    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_and_si128(both, _mm_set1_epi8(15))));
}

/* --- signs --- */

/* Seven sign bits in each byte, whose top bit does not matter, to eight. */
KERNEL_INLINE __m512i eight_signs(__m512i sevens)
{
    return find128(ggfs_grids.signs, sevens);
}

/* Eight words, in 64 bits each: four runs of seven signs of eight values, and a scale on top. */
KERNEL_INLINE __m256i signs_of(__m512i words)
{
    const __m512i runs = _mm512_set1_epi64(0x15150e07150e0700);

    return _mm512_cvtepi64_epi32(eight_signs(_mm512_multishift_epi64_epi8(runs, words)));
}

KERNEL_INLINE void store_top_scales(float *d, __m512i words, const uint8_t *scale, float factor)
{
    __m256 n = _mm512_cvtepi64_ps(_mm512_srli_epi64(words, 28));
    __m512i both = twice(_mm512_castsi256_si512(_mm256_castps_si256(n)));

    _mm512_store_ps(d, grid_scales(scale, _mm512_castsi512_ps(both), factor));
}

KERNEL_INLINE void store_signs(struct parts *parts, __m256i signs)
{
    _mm256_store_si256((__m256i *)(void *)parts->signs, signs);
}

/* --- IQ2 --- */

static void iq2_values(float *dst, const struct parts *parts, const uint8_t *codes)
{
    const __m512 values = _mm512_broadcast_f32x4(_mm_setr_ps(8, 25, 43, 0));
    __mmask64 minus = 0;

    KERNEL_UNROLL
    for (int i = 0; i < 16; i++) {
        __m512 table = _mm512_mul_ps(values, all_of(parts->d + i));
        __m512 x = pick4(table, digits(codes, i));
        minus =
            i % 4 ? _kshiftri_mask64(minus, 16) : load_masks((const uint8_t *)(parts->signs + i));
        put(dst + 16 * i, _mm512_mask_xor_ps(x, (__mmask16)minus, x, _mm512_set1_ps(-0.0f)));
    }
}

static void iq2_xxs_prepare(struct pair *pair, const uint8_t *first, const uint8_t *second)
{
    __m512i x = _mm512_loadu_si512(first + 2), y = _mm512_loadu_si512(second + 2);
    __m512i low = joined(_mm512_cvtepi64_epi32(x), _mm512_cvtepi64_epi32(y));

    x = _mm512_srli_epi64(x, 32);
    y = _mm512_srli_epi64(y, 32);
    store_signs(&pair->parts[0], signs_of(x));
    store_signs(&pair->parts[1], signs_of(y));
    store_top_scales(pair->parts[0].d, x, first, 0.25f);
    store_top_scales(pair->parts[1].d, y, second, 0.25f);
    store_codes(pair, find256(ggfs_grids.iq2xxs_bytes[0], low),
                find256(ggfs_grids.iq2xxs_bytes[1], low));
}

static void iq2_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 66, iq2_xxs_prepare, iq2_values);
}

static void iq2_xs_prepare(struct pair *pair, const uint8_t *first, const uint8_t *second)
{
    __m512i x = _mm512_loadu_si512(first + 2), y = _mm512_loadu_si512(second + 2);
    __m512i high = joined(_mm512_cvtepi16_epi8(_mm512_srli_epi16(x, 8)),
                          _mm512_cvtepi16_epi8(_mm512_srli_epi16(y, 8)));
    struct index index = {.low = joined(_mm512_cvtepi16_epi8(x), _mm512_cvtepi16_epi8(y)),
                          .bit8 = _mm512_test_epi8_mask(high, _mm512_set1_epi8(1))};
    __m512i signs = eight_signs(_mm512_srli_epi16(high, 1));

    store_signs(&pair->parts[0], _mm512_castsi512_si256(signs));
    store_signs(&pair->parts[1], _mm512_extracti64x4_epi64(signs, 1));
    _mm512_store_ps(pair->parts[0].d, grid_scales(first, nibbles16(load8(first + 66)), 0.25f));
    _mm512_store_ps(pair->parts[1].d, grid_scales(second, nibbles16(load8(second + 66)), 0.25f));
    store_codes(pair, find512(ggfs_grids.iq2xs_bytes[0], &index),
                find512(ggfs_grids.iq2xs_bytes[1], &index));
}

static void iq2_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 74, iq2_xs_prepare, iq2_values);
}

/* The bits of a that mask has, one behind the other, and those of b above them. */
KERNEL_INLINE uint64_t bits_of_two(uint64_t a, uint64_t b, uint64_t mask)
{
    return _pext_u64(a, mask) | _pext_u64(b, mask) << 32;
}

static void iq2_s_prepare(struct pair *pair, const uint8_t *first, const uint8_t *second)
{
    uint64_t a = word64(first + 66), b = word64(second + 66);
    struct index index = {.low = joined(load32(first + 2), load32(second + 2)),
                          .bit8 = bits_of_two(a, b, 0x5555555555555555),
                          .bit9 = bits_of_two(a, b, 0xaaaaaaaaaaaaaaaa)};

    store_signs(&pair->parts[0], load32(first + 34));
    store_signs(&pair->parts[1], load32(second + 34));
    _mm512_store_ps(pair->parts[0].d, grid_scales(first, nibbles16(load8(first + 74)), 0.25f));
    _mm512_store_ps(pair->parts[1].d, grid_scales(second, nibbles16(load8(second + 74)), 0.25f));
    store_codes(pair, find1024(ggfs_grids.iq2s_bytes[0], &index),
                find1024(ggfs_grids.iq2s_bytes[1], &index));
}

static void iq2_s(float *dst, const uint8_t *src, size_t nblocks)
{
    batched(dst, src, nblocks, 82, iq2_s_prepare, iq2_values);
}

/* --- IQ3 ---
 *
 * The digits of even values are one byte of an entry, those of odd ones the other. Sixteen values
 * are the even bytes of four entries beside the odd ones, 64 bits, so that each lane finds its own
 * digit by one shift. A sign is bit 3 of the digit. */

struct one {
    _Alignas(64) uint8_t codes[2][64];
    float d[16];
};

typedef void prepare_one_fn(struct one *one, const uint8_t *src);

KERNEL_INLINE void put_iq3(float *dst, const struct one *one, __m512 values)
{
    const __m512i shifts = LANES16(0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28);
    __m512 table = values;

    KERNEL_UNROLL
    for (int i = 0; i < 16; i++) {
        uint64_t code = word64(one->codes[i % 4 / 2] + i / 4 * 16 + i % 2 * 8);
        if (i % 2 == 0)
            table = _mm512_mul_ps(values, all_of(one->d + i));
        put(dst + 16 * i, pick(table, _mm512_srlv_epi32(_mm512_set1_epi64((int64_t)code), shifts)));
    }
}

KERNEL_INLINE void iq3_batched(float *dst, const uint8_t *src, size_t nblocks, size_t block_bytes,
                               prepare_one_fn *prepare, __m512 values)
{
    struct one one[BATCH];

    while (nblocks) {
        size_t n = nblocks < BATCH ? nblocks : BATCH;
        for (size_t i = 0; i < n; i++, src += block_bytes)
            prepare(&one[i], src);
        for (size_t i = 0; i < n; i++, dst += 256)
            put_iq3(dst, &one[i], values);
        nblocks -= n;
    }
}

/* signs: 32 bytes for 64 entries of four values. */
KERNEL_INLINE void store_iq3(struct one *one, __m512i even, __m512i odd, __m256i signs)
{
    const __m128i even_signs =
        _mm_setr_epi8(0, 8, 0, 8, -128, -120, -128, -120, 0, 8, 0, 8, -128, -120, -128, -120);
    const __m128i odd_signs =
        _mm_setr_epi8(0, 0, 8, 8, 0, 0, 8, 8, -128, -128, -120, -120, -128, -128, -120, -120);
    __m512i x = _mm512_cvtepu8_epi16(signs), nibbles = _mm512_or_si512(x, _mm512_slli_epi16(x, 4));

    nibbles = _mm512_and_si512(nibbles, _mm512_set1_epi8(15));
    even = _mm512_or_si512(even, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(even_signs), nibbles));
    odd = _mm512_or_si512(odd, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(odd_signs), nibbles));
    _mm512_store_si512(one->codes[0], _mm512_unpacklo_epi32(even, odd));
    _mm512_store_si512(one->codes[1], _mm512_unpackhi_epi32(even, odd));
}

static void iq3_xxs_prepare(struct one *one, const uint8_t *src)
{
    __m512i low = _mm512_loadu_si512(src + 2);
    __m512i words = _mm512_cvtepu32_epi64(load32(src + 66));

    store_top_scales(one->d, words, src, 0.5f);
    store_iq3(one, find256(ggfs_grids.iq3xxs_bytes[0], low),
              find256(ggfs_grids.iq3xxs_bytes[1], low), signs_of(words));
}

static void iq3_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    const __m512 values =
        _mm512_setr_ps(4, 12, 20, 28, 36, 44, 52, 62, -4, -12, -20, -28, -36, -44, -52, -62);

    iq3_batched(dst, src, nblocks, 98, iq3_xxs_prepare, values);
}

static void iq3_s_prepare(struct one *one, const uint8_t *src)
{
    struct index index = {.low = _mm512_loadu_si512(src + 2), .bit8 = word64(src + 66)};
    __m512i n = _mm512_cvtps_epi32(nibbles16(_mm_cvtsi32_si128((int)word32(src + 106))));

    _mm512_store_ps(one->d, _mm512_mul_ps(half(src), odd_numbers(twice(n))));
    store_iq3(one, find512(ggfs_grids.iq3s_bytes[0], &index),
              find512(ggfs_grids.iq3s_bytes[1], &index), load32(src + 74));
}

static void iq3_s(float *dst, const uint8_t *src, size_t nblocks)
{
    const __m512 values =
        _mm512_setr_ps(1, 3, 5, 7, 9, 11, 13, 15, -1, -3, -5, -7, -9, -11, -13, -15);

    iq3_batched(dst, src, nblocks, 110, iq3_s_prepare, values);
}

/* clang-format off */
const struct ggfs_kernel_set ggfs_kernels_vbmi = {
    .name = "vbmi",
    .needs = GGFS_CPU_AVX512 | GGFS_CPU_VBMI,
    .fn = {
        [GGFS_TYPE_F8_E4M3] = f8_e4m3,
        [GGFS_TYPE_Q5_0] = q5_0,
        [GGFS_TYPE_Q5_1] = q5_1,
        [GGFS_TYPE_Q5_K] = q5_k,
        [GGFS_TYPE_Q6_K] = q6_k,
        [GGFS_TYPE_IQ2_XXS] = iq2_xxs,
        [GGFS_TYPE_IQ2_XS] = iq2_xs,
        [GGFS_TYPE_IQ2_S] = iq2_s,
        [GGFS_TYPE_IQ3_XXS] = iq3_xxs,
        [GGFS_TYPE_IQ3_S] = iq3_s,
        [GGFS_TYPE_Q4_0_V1] = ggfs_vbmi_q4_0_v1,
        [GGFS_TYPE_Q4_1_V1] = ggfs_vbmi_q4_1_v1,
        [GGFS_TYPE_Q4_2_V1] = ggfs_vbmi_q4_2_v1,
        [GGFS_TYPE_Q4_3_V1] = ggfs_vbmi_q4_3_v1,
        [GGFS_TYPE_Q5_0_V1] = ggfs_vbmi_q5_0_v1,
        [GGFS_TYPE_Q5_1_V1] = ggfs_vbmi_q5_1_v1,
    },
};
/* clang-format on */
