/* SPDX-License-Identifier: MIT */
/* scalar.c - every type's decoder in plain C: the specification that the other sets are held to.
 *
 * In the drawings a field is `name type[count]`, fields lie one after the other without padding,
 * and v[i] is value i of the block. Products are taken in the order of the formula, each rounded by
 * itself: with infinite, NaN and zero scales any other order gives other bits. */
#include <config.h>

#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/scalar_legacy.h"
#include "kernels/sets.h"
#include "kernels/words.h"

/* F32: the bits as they are, also those of a NaN. */
static void f32(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++) {
        uint32_t bits = word32(src + 4 * i);
        memcpy(dst + i, &bits, sizeof bits);
    }
}

static void f16(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = half_at(src + 2 * i);
}

/* BF16: the upper half of a float. */
static void bf16(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++) {
        uint32_t bits = (uint32_t)word16(src + 2 * i) << 16;
        memcpy(dst + i, &bits, sizeof bits);
    }
}

/* F64, I8 … I64: the C conversion, one rounding to nearest even. */
static void f64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++) {
        uint64_t bits = word64(src + 8 * i);
        double value;
        memcpy(&value, &bits, sizeof value);
        dst[i] = (float)value;
    }
}

static void i8(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = (float)(int8_t)src[i];
}

static void i16(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = (float)(int16_t)word16(src + 2 * i);
}

static void i32(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = (float)(int32_t)word32(src + 4 * i);
}

static void i64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = (float)(int64_t)word64(src + 8 * i);
}

static void f8_e4m3(float *dst, const uint8_t *src, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        dst[i] = float_of_bits(bits_of_e4m3(src[i]));
}

/* Q4_0: d f16 | q byte[16]
 * Byte i holds value i below and value i + 16 above. v[i] = (q - 8) * d */
static void q4_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 18, dst += 32) {
        float d = half_at(src);
        const uint8_t *q = src + 2;
        for (int i = 0; i < 16; i++) {
            dst[i] = (float)((q[i] & 15) - 8) * d;
            dst[i + 16] = (float)((q[i] >> 4) - 8) * d;
        }
    }
}

/* Q4_1: d f16 | m f16 | q byte[16], as Q4_0. v[i] = q * d + m */
static void q4_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32) {
        float d = half_at(src), m = half_at(src + 2);
        const uint8_t *q = src + 4;
        for (int i = 0; i < 16; i++) {
            dst[i] = (float)(q[i] & 15) * d + m;
            dst[i + 16] = (float)(q[i] >> 4) * d + m;
        }
    }
}

/* Q5_0: d f16 | h u32 | q byte[16], as Q4_0; bit i of h is bit 4 of value i. v[i] = (q - 16) * d */
static void q5_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 22, dst += 32) {
        float d = half_at(src);
        uint32_t h = word32(src + 2);
        const uint8_t *q = src + 6;
        for (int i = 0; i < 16; i++) {
            int low = (q[i] & 15) | (int)(h >> i & 1) << 4;
            int high = q[i] >> 4 | (int)(h >> (i + 16) & 1) << 4;
            dst[i] = (float)(low - 16) * d;
            dst[i + 16] = (float)(high - 16) * d;
        }
    }
}

/* Q5_1: d f16 | m f16 | h u32 | q byte[16], as Q5_0. v[i] = q * d + m */
static void q5_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = half_at(src), m = half_at(src + 2);
        uint32_t h = word32(src + 4);
        const uint8_t *q = src + 8;
        for (int i = 0; i < 16; i++) {
            int low = (q[i] & 15) | (int)(h >> i & 1) << 4;
            int high = q[i] >> 4 | (int)(h >> (i + 16) & 1) << 4;
            dst[i] = (float)low * d + m;
            dst[i + 16] = (float)high * d + m;
        }
    }
}

static void scaled_bytes(float *v, const uint8_t *q, size_t n, float d)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(int8_t)q[i] * d;
}

/* Q8_0: d f16 | q int8[32]. v[i] = q * d */
static void q8_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 34, dst += 32)
        scaled_bytes(dst, src + 2, 32, half_at(src));
}

/* Q8_1: d f16 | s f16 | q int8[32]. v[i] = q * d; s, d times the sum of q, serves dot products. */
static void q8_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 36, dst += 32)
        scaled_bytes(dst, src + 4, 32, half_at(src));
}

/* Q8_K: d f32 | q int8[256] | sums int16[16]. v[i] = q * d; the one block type that rounds here. */
static void q8_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 292, dst += 256)
        scaled_bytes(dst, src + 4, 256, float_at(src));
}

/* Q1_0: d f16 | q byte[16], 8 values a byte, the first lowest. v[i] = bit ? d : -d */
static void q1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 18, dst += 128) {
        const float choice[2] = {-half_at(src), half_at(src)};
        for (int i = 0; i < 128; i++)
            dst[i] = choice[src[2 + i / 8] >> i % 8 & 1];
    }
}

/* Q2_0: d f16 | q byte[16], 4 values a byte, the first lowest. v[i] = (q - 1) * d */
static void q2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 18, dst += 64) {
        float d = half_at(src);
        for (int i = 0; i < 64; i++)
            dst[i] = (float)((src[2 + i / 4] >> 2 * (i % 4) & 3) - 1) * d;
    }
}

/* n bytes of codes to 2 * n values: those of the low nibbles, then those of the high ones. */
static void coded_nibbles(float *v, const uint8_t *q, size_t n, const int8_t code[16], float d)
{
    for (size_t i = 0; i < n; i++) {
        v[i] = d * (float)code[q[i] & 15];
        v[i + n] = d * (float)code[q[i] >> 4];
    }
}

/* MXFP4: e byte, 2^(e - 128) | q byte[16], as Q4_0. v[i] = fp4[q] * e, the one doubled, the other
 * halved */
static void mxfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 17, dst += 32)
        coded_nibbles(dst, src + 1, 16, ggfs_grids_fp4, ggfs_grids.e8m0[src[0]]);
}

/* NVFP4: e byte[4], UE4M3 | q byte[4][8]: byte i of part s holds value 16s + i below and 16s + i +
 * 8 above. v[i] = fp4[q] * e[i / 16], doubled and halved as in MXFP4 */
static void nvfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 36, dst += 64)
        for (size_t s = 0; s < 4; s++)
            coded_nibbles(dst + 16 * s, src + 4 + 8 * s, 8, ggfs_grids_fp4,
                          ggfs_grids.ue4m3[src[s]]);
}

/* IQ4_NL: d f16 | q byte[16], as Q4_0. v[i] = d * iq4nl[q] */
static void iq4_nl(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 18, dst += 32)
        coded_nibbles(dst, src + 2, 16, ggfs_grids_iq4nl, half_at(src));
}

/* The K types and TQ2_0 keep pairs of bits strided: value i of 128 in byte i mod 32, bits 2 * (i
 * div 32) and one up; byte 32 starts the next 128 values. */
static int strided_pair(const uint8_t *q, int i)
{
    return q[i / 128 * 32 + i % 32] >> 2 * (i / 32 % 4) & 3;
}

/* Q2_K: s byte[16] | q byte[64], strided | d f16 | dmin f16
 * s[i / 16] is a scale below, a minimum above. v[i] = (d * scale) * q - dmin * minimum */
static void q2_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 84, dst += 256) {
        float d = half_at(src + 80), dmin = half_at(src + 82);
        for (int g = 0; g < 16; g++) {
            float scale = d * (float)(src[g] & 15), minimum = dmin * (float)(src[g] >> 4);
            for (int i = 16 * g; i < 16 * g + 16; i++)
                dst[i] = scale * (float)strided_pair(src + 16, i) - minimum;
        }
    }
}

/* Scale k of Q3_K's 16 in 12 bytes: 4 low bits k < 8 ? s[k] below : s[k - 8] above; 2 high bits in
 * s[8 + k mod 4] at 2 * (k div 4). Stored with 32 added. */
static int q3_k_scale(const uint8_t *s, int k)
{
    int low = k < 8 ? s[k] & 15 : s[k - 8] >> 4;
    int high = s[8 + k % 4] >> 2 * (k / 4) & 3;

    return (low | high << 4) - 32;
}

/* Q3_K: h byte[32] | q byte[64], strided | s byte[12] | d f16
 * Bit i div 32 of h[i mod 32] set: nothing is taken off q, clear: 4.
 * v[i] = (d * scale[i / 16]) * (q - (bit ? 0 : 4)) */
static void q3_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 110, dst += 256) {
        float d = half_at(src + 108);
        for (int g = 0; g < 16; g++) {
            float scale = d * (float)q3_k_scale(src + 96, g);
            for (int i = 16 * g; i < 16 * g + 16; i++) {
                int off = src[i % 32] >> i / 32 & 1 ? 0 : 4;
                dst[i] = scale * (float)(strided_pair(src + 32, i) - off);
            }
        }
    }
}

/* Scale and minimum j of Q4_K's and Q5_K's 8 of 6 bits each in 12 bytes. The first four lie whole
 * in s[0..3] and s[4..7]; the others have 4 low bits in s[8..11], scale below and minimum above,
 * and their 2 high bits on top of the first four. */
static void k_scale(const uint8_t *s, int j, int *scale, int *minimum)
{
    if (j < 4) {
        *scale = s[j] & 63;
        *minimum = s[j + 4] & 63;
    } else {
        *scale = (s[j + 4] & 15) | s[j - 4] >> 6 << 4;
        *minimum = s[j + 4] >> 4 | s[j] >> 6 << 4;
    }
}

/* Q4_K: d f16 | dmin f16 | s byte[12] | q byte[4][32]
 * Part j of 32 values: nibbles of q[j / 2], low ones for even j. v[i] = (d * scale[j]) * q - dmin *
 * minimum[j] */
static void q4_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 144, dst += 256)
        for (int j = 0; j < 8; j++) {
            const uint8_t *q = src + 16 + 32 * (j / 2);
            int scale, minimum;
            k_scale(src + 4, j, &scale, &minimum);
            float d = half_at(src) * (float)scale, m = half_at(src + 2) * (float)minimum;
            for (int i = 0; i < 32; i++)
                dst[32 * j + i] = d * (float)(q[i] >> 4 * (j % 2) & 15) - m;
        }
}

/* Q5_K: d f16 | dmin f16 | s byte[12] | h byte[32] | q byte[4][32], as Q4_K; bit j of h[i] is bit
 * 4 of value i of part j. */
static void q5_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 176, dst += 256)
        for (int j = 0; j < 8; j++) {
            const uint8_t *h = src + 16, *q = src + 48 + 32 * (j / 2);
            int scale, minimum;
            k_scale(src + 4, j, &scale, &minimum);
            float d = half_at(src) * (float)scale, m = half_at(src + 2) * (float)minimum;
            for (int i = 0; i < 32; i++) {
                int code = (q[i] >> 4 * (j % 2) & 15) | (h[i] >> j & 1) << 4;
                dst[32 * j + i] = d * (float)code - m;
            }
        }
}

/* Q6_K: q byte[2][64] | h byte[2][32], strided | s int8[16] | d f16
 * Values i = 128H + 32r + l have their 4 low bits in q[H][32 * (r mod 2) + l], below for r < 2, and
 * 2 high bits in h. v[i] = (d * s[i / 16]) * (code - 32) */
static void q6_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 210, dst += 256) {
        float d = half_at(src + 208);
        for (int g = 0; g < 16; g++) {
            float scale = d * (float)(int8_t)src[192 + g];
            for (int i = 16 * g; i < 16 * g + 16; i++) {
                int low = src[i / 128 * 64 + i % 64] >> 4 * (i / 64 % 2) & 15;
                dst[i] = scale * (float)((low | strided_pair(src + 128, i) << 4) - 32);
            }
        }
    }
}

/* Digit n, the first being 0, of the five base-3 digits that x holds as a fixed-point fraction. */
static int ternary_digit(uint8_t x, int n)
{
    static const uint8_t power[5] = {1, 3, 9, 27, 81};

    return (uint8_t)(x * power[n]) * 3 >> 8;
}

/* n bytes to digits * n values: all first digits, all second ones, … */
static void ternary(float *v, const uint8_t *q, int n, int digits, float d)
{
    for (int digit = 0; digit < digits; digit++)
        for (int i = 0; i < n; i++)
            v[n * digit + i] = (float)(ternary_digit(q[i], digit) - 1) * d;
}

/* TQ1_0: q byte[48] | r byte[4] | d f16
 * q[0..31] make values 0..159, q[32..47] make 160..239, five digits a byte; r makes 240..255, four
 * digits a byte. v[i] = (digit - 1) * d */
static void tq1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 54, dst += 256) {
        float d = half_at(src + 52);
        ternary(dst, src, 32, 5, d);
        ternary(dst + 160, src + 32, 16, 5, d);
        ternary(dst + 240, src + 48, 4, 4, d);
    }
}

/* TQ2_0: q byte[64], strided | d f16. v[i] = (q - 1) * d */
static void tq2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 66, dst += 256) {
        float d = half_at(src + 64);
        for (int i = 0; i < 256; i++)
            dst[i] = (float)(strided_pair(src, i) - 1) * d;
    }
}

/* -1 where bit i is set, else 1. Not a choice, which would be compiled to a jump: signs are random.
 */
static int sign_of(unsigned signs, int i)
{
    return 1 - 2 * (int)(signs >> i & 1);
}

/* The values of an entry of eight, negative where the bit of signs is set; none is 0. */
static void signed_eight(float *v, unsigned entry, unsigned signs, float d)
{
    for (int i = 0; i < 8; i++) {
        int value = ggfs_grids_iq2[entry >> 2 * i & 3];
        v[i] = d * (float)(value * sign_of(signs, i));
    }
}

static void signed_four(float *v, unsigned entry, const int8_t *values, unsigned signs, float d)
{
    for (int i = 0; i < 4; i++) {
        int value = values[entry >> ggfs_grids_iq3_shift[i] & 7];
        v[i] = d * (float)(value * sign_of(signs, i));
    }
}

/* IQ2_XXS: d f16 | 8 parts of 32 values: index byte[4] | w u32
 * w: scale 4 bits, then four times 7 bits of signs, those of the first 8 values lowest.
 * v[i] = (d * (0.5 + scale) * 0.25) * grid[index][i mod 8] * sign */
static void iq2_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 66)
        for (const uint8_t *part = src + 2; part < src + 66; part += 8) {
            uint32_t w = word32(part + 4);
            float d = half_at(src) * (0.5f + (float)(w >> 28)) * 0.25f;
            for (int l = 0; l < 4; l++, dst += 8)
                signed_eight(dst, ggfs_grids.iq2xxs[part[l]], ggfs_grids.signs[w >> 7 * l & 127],
                             d);
        }
}

/* Scale of 16 values, number p / 2 where p counts eights: a nibble, the low one first. */
static float half_scale(float d, const uint8_t *s, int p)
{
    return d * (0.5f + (float)(s[p / 4] >> 4 * (p / 2 % 2) & 15)) * 0.25f;
}

/* IQ2_XS: d f16 | w u16[32] | s byte[8]
 * w[p], for 8 values: index 9 bits, signs 7 bits above. Values as IQ2_XXS, scale s a nibble for 16
 * values. */
static void iq2_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 74)
        for (int p = 0; p < 32; p++, dst += 8) {
            uint16_t w = word16(src + 2 + 2 * p);
            signed_eight(dst, ggfs_grids.iq2xs[w & 511], ggfs_grids.signs[w >> 9],
                         half_scale(half_at(src), src + 66, p));
        }
}

/* IQ2_S: d f16 | low byte[32] | signs byte[32] | high byte[8] | s byte[8]
 * For 8 values p: index low[p] and 2 bits of high[p / 4] above, the first p lowest; signs[p]; scale
 * as IQ2_XS. */
static void iq2_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 82)
        for (int p = 0; p < 32; p++, dst += 8) {
            int index = src[2 + p] | (src[66 + p / 4] >> 2 * (p % 4) & 3) << 8;
            signed_eight(dst, ggfs_grids.iq2s[index], src[34 + p],
                         half_scale(half_at(src), src + 74, p));
        }
}

/* IQ3_XXS: d f16 | index byte[64] | w u32[8]
 * An index for 4 values; w for 32 values as in IQ2_XXS.
 * v[i] = (d * (0.5 + scale) * 0.5) * grid[index][i mod 4] * sign */
static void iq3_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 98)
        for (int p = 0; p < 32; p++, dst += 8) {
            const uint8_t *index = src + 2 + 2 * p;
            uint32_t w = word32(src + 66 + p / 4 * 4);
            uint8_t signs = ggfs_grids.signs[w >> 7 * (p % 4) & 127];
            float d = half_at(src) * (0.5f + (float)(w >> 28)) * 0.5f;
            signed_four(dst, ggfs_grids.iq3xxs[index[0]], ggfs_grids_iq3xxs, signs, d);
            signed_four(dst + 4, ggfs_grids.iq3xxs[index[1]], ggfs_grids_iq3xxs, signs >> 4, d);
        }
}

/* IQ3_S: d f16 | low byte[64] | high byte[8] | signs byte[32] | s byte[4]
 * For 4 values p: index low[p] and bit p mod 8 of high[p / 8] above. s a nibble for 32 values, low
 * one first. v[i] = (d * (1 + 2 * scale)) * grid[index][i mod 4] * sign */
static void iq3_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 110)
        for (int p = 0; p < 64; p++, dst += 4) {
            int index = src[2 + p] | (src[66 + p / 8] >> p % 8 & 1) << 8;
            int scale = src[106 + p / 16] >> 4 * (p / 8 % 2) & 15;
            float d = half_at(src) * (float)(1 + 2 * scale);
            signed_four(dst, ggfs_grids.iq3s[index], ggfs_grids_iq3s,
                        (unsigned)src[74 + p / 2] >> 4 * (p % 2), d);
        }
}

static void shifted_grid(float *v, unsigned entry, float delta, float d)
{
    for (int i = 0; i < 8; i++)
        v[i] = d * ((float)ggfs_grids_iq1[entry >> 2 * i & 3] + delta);
}

/* IQ1_S: d f16 | low byte[32] | w u16[8]
 * w, for 32 values: delta's sign 1 bit, scale 3 bits, then four times 3 bits of index above
 * low[p], the first p lowest. v[i] = (d * (2 * scale + 1)) * (grid[index][i mod 8] -+ 0.125) */
static void iq1_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 50)
        for (int p = 0; p < 32; p++, dst += 8) {
            uint16_t w = word16(src + 34 + p / 4 * 2);
            int index = src[2 + p] | (w >> 3 * (p % 4) & 7) << 8;
            float d = half_at(src) * (float)(2 * (w >> 12 & 7) + 1);
            shifted_grid(dst, ggfs_grids.iq1[index], w & 0x8000 ? -0.125f : 0.125f, d);
        }
}

/* IQ1_M: low byte[32] | x byte[16] | w u16[4]
 * For 8 values p: nibble p of x, low one first, holds delta's sign 1 bit and 3 bits of index. The
 * four top nibbles of w, w[0]'s lowest, are d f16; below them are four scales of 3 bits, each for
 * 16 values. Values as IQ1_S. */
static void iq1_m(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 56) {
        const uint8_t *w = src + 48;
        float half = float_of_half(
            (uint16_t)(w[1] >> 4 | (w[3] & 0xf0) | (w[5] & 0xf0) << 4 | (w[7] & 0xf0) << 8));
        for (int p = 0; p < 32; p++, dst += 8) {
            int x = src[32 + p / 2] >> 4 * (p % 2);
            int scale = word16(w + p / 8 * 2) >> 3 * (p / 2 % 4) & 7;
            shifted_grid(dst, ggfs_grids.iq1[src[p] | (x & 7) << 8], x & 8 ? -0.125f : 0.125f,
                         half * (float)(2 * scale + 1));
        }
    }
}

/* IQ4_XS: d f16 | high u16 | low byte[4] | q byte[8][16], each part as IQ4_NL
 * Scale of part g: nibble g of low, low one first, and 2 bits of high above; stored with 32 added.
 * v[i] = (d * (scale - 32)) * iq4nl[q] */
static void iq4_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 136)
        for (int g = 0; g < 8; g++, dst += 32) {
            int low = src[4 + g / 2] >> 4 * (g % 2) & 15;
            int high = word16(src + 2) >> 2 * g & 3;
            coded_nibbles(dst, src + 8 + 16 * g, 16, ggfs_grids_iq4nl,
                          half_at(src) * (float)((low | high << 4) - 32));
        }
}

/* clang-format off */
const struct ggfs_kernel_set ggfs_kernels_scalar = {
    .name = "scalar",
    .needs = 0,
    .fn = {
        [GGFS_TYPE_F32] = f32,
        [GGFS_TYPE_F16] = f16,
        [GGFS_TYPE_BF16] = bf16,
        [GGFS_TYPE_F64] = f64,
        [GGFS_TYPE_I8] = i8,
        [GGFS_TYPE_I16] = i16,
        [GGFS_TYPE_I32] = i32,
        [GGFS_TYPE_I64] = i64,
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
#define L(type, function) [GGFS_TYPE_##type] = ggfs_scalar_##function,
#include "kernels/scalar_legacy.def"
#undef L
    },
};
/* clang-format on */
