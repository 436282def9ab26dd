/* SPDX-License-Identifier: MIT */
/* scalar_legacy.c - decoders of the block layouts from before GGUF, in plain C. Drawings as in
 * scalar.c. Where a scale is an f32 every product and every sum rounds: two roundings a value with
 * a minimum, never one. */
#include <config.h>

#include "kernels/scalar_legacy.h"
#include "kernels/words.h"

/* Code of value i in nibbles of which a byte holds two neighbours, the first one below. */
static int neighbour(const uint8_t *q, int i)
{
    return q[i / 2] >> 4 * (i % 2) & 15;
}

/* Code of value i in nibbles of which a byte holds values i below and i + 16 above. */
static int split(const uint8_t *q, int i)
{
    return q[i % 16] >> 4 * (i / 16) & 15;
}

/* Q4_0-v1: d f32 | q byte[16], neighbours. v[i] = (q - 8) * d */
void ggfs_scalar_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32) {
        float d = float_at(src);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)(neighbour(src + 4, i) - 8) * d;
    }
}

/* Q4_1-v1: d f32 | m f32 | q byte[16], neighbours. v[i] = q * d + m */
void ggfs_scalar_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = float_at(src), m = float_at(src + 4);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)neighbour(src + 8, i) * d + m;
    }
}

/* Q4_2-v1: d f16 | q byte[8], neighbours. v[i] = (q - 8) * d */
void ggfs_scalar_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 10, dst += 16) {
        float d = half_at(src);
        for (int i = 0; i < 16; i++)
            dst[i] = (float)(neighbour(src + 2, i) - 8) * d;
    }
}

/* Q4_3-v1: d f16 | m f16 | q byte[8], neighbours. v[i] = q * d + m */
void ggfs_scalar_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 12, dst += 16) {
        float d = half_at(src), m = half_at(src + 2);
        for (int i = 0; i < 16; i++)
            dst[i] = (float)neighbour(src + 4, i) * d + m;
    }
}

/* Q5_0-v1: d f16 | h u32 | q byte[16], neighbours; bit i of h is bit 4 of value i.
 * v[i] = (q - 16) * d */
void ggfs_scalar_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 22, dst += 32) {
        float d = half_at(src);
        uint32_t h = word32(src + 2);
        for (int i = 0; i < 32; i++) {
            int code = neighbour(src + 6, i) | (int)(h >> i & 1) << 4;
            dst[i] = (float)(code - 16) * d;
        }
    }
}

/* Q5_1-v1: d f16 | m f16 | h u32 | q byte[16], as Q5_0-v1. v[i] = q * d + m */
void ggfs_scalar_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = half_at(src), m = half_at(src + 2);
        uint32_t h = word32(src + 4);
        for (int i = 0; i < 32; i++) {
            int code = neighbour(src + 8, i) | (int)(h >> i & 1) << 4;
            dst[i] = (float)code * d + m;
        }
    }
}

/* Q8_0-v1 and -v2: d f32 | q int8[32]. v[i] = q * d */
void ggfs_scalar_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 36, dst += 32) {
        float d = float_at(src);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)(int8_t)src[4 + i] * d;
    }
}

/* Q4_0-v2: d f32 | q byte[16], split. v[i] = (q - 8) * d */
void ggfs_scalar_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32) {
        float d = float_at(src);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)(split(src + 4, i) - 8) * d;
    }
}

/* Q4_1-v2: d f32 | m f32 | q byte[16], split. v[i] = q * d + m */
void ggfs_scalar_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = float_at(src), m = float_at(src + 4);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)split(src + 8, i) * d + m;
    }
}

/* Q4_1_O (rwkv.cpp): d f16 | m f16 | index u16 | outlier f16 | q byte[16], neighbours
 * v[i] = q * d + m, but v[index] = outlier. A block of zeros has the index 0xffff. */
void ggfs_scalar_q4_1_o(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = half_at(src), m = half_at(src + 2);
        uint16_t index = word16(src + 4);
        for (int i = 0; i < 32; i++)
            dst[i] = (float)neighbour(src + 8, i) * d + m;
        if (index < 32)
            dst[index] = half_at(src + 6);
    }
}

/* Q2_K-64: s byte[4] | q byte[16] | d f16 | dmin f16
 * Value 16g + l is bits 2g of q[l]; s[g] is a scale below, a minimum above.
 * v[i] = (d * scale) * q - dmin * minimum */
void ggfs_scalar_q2_k_64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 64)
        for (int g = 0; g < 4; g++) {
            float scale = half_at(src + 20) * (float)(src[g] & 15);
            float minimum = half_at(src + 22) * (float)(src[g] >> 4);
            for (int l = 0; l < 16; l++)
                dst[16 * g + l] = scale * (float)(src[4 + l] >> 2 * g & 3) - minimum;
        }
}

/* Q3_K-64: h byte[8] | q byte[16] | s byte[2] | d f16
 * For 8 values g: bits 2 * (g / 2) of q[8 * (g mod 2) + l]; bit g of h[l] set: nothing is taken
 * off, clear: 4. Scale of 16 values g / 2: a nibble of s, the low one first, stored with 8 added.
 * v[i] = (d * scale) * (q - (bit ? 0 : 4)) */
void ggfs_scalar_q3_k_64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 28, dst += 64)
        for (int g = 0; g < 8; g++) {
            int k = g / 2;
            float scale = half_at(src + 26) * (float)(neighbour(src + 24, k) - 8);
            for (int l = 0; l < 8; l++) {
                int code = src[8 + 8 * (g % 2) + l] >> 2 * k & 3;
                int off = src[l] >> g & 1 ? 0 : 4;
                dst[8 * g + l] = scale * (float)(code - off);
            }
        }
}

/* Q4_K-64: d f16 | dmin f16 | s byte[2] | q byte[32]
 * Value 32g + l is nibble g of q[l]; s[g] is a scale below, a minimum above.
 * v[i] = (d * scale) * q - dmin * minimum */
void ggfs_scalar_q4_k_64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 38, dst += 64)
        for (int g = 0; g < 2; g++) {
            float scale = half_at(src) * (float)(src[4 + g] & 15);
            float minimum = half_at(src + 2) * (float)(src[4 + g] >> 4);
            for (int l = 0; l < 32; l++)
                dst[32 * g + l] = scale * (float)(src[6 + l] >> 4 * g & 15) - minimum;
        }
}

/* Q5_K-64: d f16 | s int8[4] | h byte[8] | q byte[32]
 * For 8 values g: nibble g / 4 of q[8 * (g mod 4) + l]; bit g of h[l] set: nothing is taken off,
 * clear: 16. v[i] = (d * s[g / 2]) * (q - (bit ? 0 : 16)) */
void ggfs_scalar_q5_k_64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 46, dst += 64)
        for (int g = 0; g < 8; g++) {
            float scale = half_at(src) * (float)(int8_t)src[2 + g / 2];
            for (int l = 0; l < 8; l++) {
                int code = src[14 + 8 * (g % 4) + l] >> 4 * (g / 4) & 15;
                int off = src[6 + l] >> g & 1 ? 0 : 16;
                dst[8 * g + l] = scale * (float)(code - off);
            }
        }
}

/* Q6_K-64: q byte[32] | h byte[16] | s int8[4] | d f16
 * For 16 values g: nibble g / 2 of q[16 * (g mod 2) + l], bits 2g of h[l] above.
 * v[i] = (d * s[g]) * (code - 32) */
void ggfs_scalar_q6_k_64(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 54, dst += 64)
        for (int g = 0; g < 4; g++) {
            float scale = half_at(src + 52) * (float)(int8_t)src[48 + g];
            for (int l = 0; l < 16; l++) {
                int low = src[16 * (g % 2) + l] >> 4 * (g / 2) & 15;
                int high = src[32 + l] >> 2 * g & 3;
                dst[16 * g + l] = scale * (float)((low | high << 4) - 32);
            }
        }
}
