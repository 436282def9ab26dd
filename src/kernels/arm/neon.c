/* SPDX-License-Identifier: MIT */
/* neon.c - kernels for AArch64, whose every CPU has NEON. Blocks are drawn in scalar.c.
 *
 * Codes are brought to bytes, 16 at a time, looked up in a table of bytes where they stand for
 * other numbers, and widened to floats. Scales of parts are computed one by one. Multiply and add
 * are fused where the scale is a half: the product is exact there. */
#include <config.h>

#include "kernels/arm/legacy.h"
#include "kernels/arm/neon.h"
#include "kernels/cpu.h"
#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/sets.h"
#include "kernels/words.h"

/* Each byte of x shifted down, up where down is negative, and masked. */
KERNEL_INLINE uint8x16_t moved(uint8x16_t x, int down, int mask)
{
    return vandq_u8(vshlq_u8(x, vdupq_n_s8((int8_t)-down)), vdupq_n_u8((uint8_t)mask));
}

/* --- one value a block --- */

typedef void floats_fn(float *dst, const uint8_t *src);

/* Eight values of bytes_each bytes at a time; the last ones out of a copy. */
KERNEL_INLINE void each8(float *dst, const uint8_t *src, size_t n, size_t bytes_each,
                         floats_fn *put8)
{
    for (; n >= 8; n -= 8, src += 8 * bytes_each, dst += 8)
        put8(dst, src);
    if (n) {
        uint8_t rest[8 * 8] = {0};
        float values[8];
        memcpy(rest, src, n * bytes_each);
        put8(values, rest);
        memcpy(dst, values, n * sizeof *dst);
    }
}

KERNEL_INLINE void put_halves(float *dst, uint16x8_t x)
{
    float16x8_t halves = vreinterpretq_f16_u16(x);

    vst1q_f32(dst, vcvt_f32_f16(vget_low_f16(halves)));
    vst1q_f32(dst + 4, vcvt_high_f32_f16(halves));
}

KERNEL_INLINE uint16x8_t words(const uint8_t *src)
{
    return vreinterpretq_u16_u8(vld1q_u8(src));
}

KERNEL_INLINE void put8_f16(float *dst, const uint8_t *src)
{
    put_halves(dst, words(src));
}

KERNEL_INLINE void put8_bf16(float *dst, const uint8_t *src)
{
    vst1q_f32(dst, vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(words(src)), 16)));
    vst1q_f32(dst + 4, vreinterpretq_f32_u32(vshll_high_n_u16(words(src), 16)));
}

KERNEL_INLINE void put8_i8(float *dst, const uint8_t *src)
{
    put_eight(dst, vmovl_s8(vreinterpret_s8_u8(vld1_u8(src))), 1);
}

KERNEL_INLINE void put8_i16(float *dst, const uint8_t *src)
{
    put_eight(dst, vreinterpretq_s16_u16(words(src)), 1);
}

KERNEL_INLINE void put8_i32(float *dst, const uint8_t *src)
{
    vst1q_f32(dst, vcvtq_f32_s32(vreinterpretq_s32_u8(vld1q_u8(src))));
    vst1q_f32(dst + 4, vcvtq_f32_s32(vreinterpretq_s32_u8(vld1q_u8(src + 16))));
}

KERNEL_INLINE void put8_f64(float *dst, const uint8_t *src)
{
    for (int i = 0; i < 8; i += 2)
        vst1_f32(dst + i, vcvt_f32_f64(vreinterpretq_f64_u8(vld1q_u8(src + 8 * i))));
}

/* A half has the fraction's bits on top of its own ten and an exponent with a bias greater by 8, so
 * that 256 times the half is the value, subnormals too. Adding 0x80 carries into bit 14 where all
 * bits below are ones: a NaN. */
KERNEL_INLINE void put8_e4m3(float *dst, const uint8_t *src)
{
    int16x8_t wide = vmovl_s8(vreinterpret_s8_u8(vld1_u8(src)));
    uint16x8_t x = vandq_u16(vreinterpretq_u16_s16(vshlq_n_s16(wide, 7)), vdupq_n_u16(0xbf80));
    uint16x8_t carry = vandq_u16(vaddq_u16(x, vdupq_n_u16(0x80)), vdupq_n_u16(0x4000));

    put_halves(dst, vorrq_u16(x, carry));
    vst1q_f32(dst, vmulq_n_f32(vld1q_f32(dst), 256));
    vst1q_f32(dst + 4, vmulq_n_f32(vld1q_f32(dst + 4), 256));
}

static void f32(float *dst, const uint8_t *src, size_t nblocks)
{
    memcpy(dst, src, nblocks * sizeof *dst);
}

static void f16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, put8_f16);
}

static void bf16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, put8_bf16);
}

static void i8(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 1, put8_i8);
}

static void i16(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 2, put8_i16);
}

static void i32(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 4, put8_i32);
}

static void f64(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 8, put8_f64);
}

static void f8_e4m3(float *dst, const uint8_t *src, size_t nblocks)
{
    each8(dst, src, nblocks, 1, put8_e4m3);
}

/* --- blocks of 32, 64, 128 --- */

/* Split nibbles through a table of bytes, times d. */
KERNEL_INLINE void put_coded(float *v, const uint8_t *q, int8x16_t codes, float d)
{
    uint8x16_t x = vld1q_u8(q);

    put16(v, vqtbl1q_s8(codes, low_nibbles(x)), d);
    put16(v + 16, vqtbl1q_s8(codes, high_nibbles(x)), d);
}

static const int8_t from_minus_8[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};

static void q4_0(float *dst, const uint8_t *src, size_t nblocks)
{
    const int8x16_t codes = vld1q_s8(from_minus_8);

    for (; nblocks; nblocks--, src += 18, dst += 32)
        put_coded(dst, src + 2, codes, half(src));
}

static void q4_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32) {
        float d = half(src), m = half(src + 2);
        uint8x16_t q = vld1q_u8(src + 4);
        put16_plus(dst, low_nibbles(q), d, m);
        put16_plus(dst + 16, high_nibbles(q), d, m);
    }
}

static void q5_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 22, dst += 32) {
        float d = half(src);
        uint8x16_t q = vld1q_u8(src + 6);
        put16(dst, with_fifth_signed(low_nibbles(q), src + 2), d);
        put16(dst + 16, with_fifth_signed(high_nibbles(q), src + 4), d);
    }
}

static void q5_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = half(src), m = half(src + 2);
        uint8x16_t q = vld1q_u8(src + 8);
        put16_plus(dst, with_fifth(low_nibbles(q), src + 4), d, m);
        put16_plus(dst + 16, with_fifth(high_nibbles(q), src + 6), d, m);
    }
}

static void q8_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 34, dst += 32)
        put_scaled(dst, src + 2, 32, half(src));
}

static void q8_1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 36, dst += 32)
        put_scaled(dst, src + 4, 32, half(src));
}

static void q8_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 292, dst += 256)
        put_scaled(dst, src + 4, 256, float_at(src));
}

/* A byte's bits are moved to the signs of two times four lanes, to turn minus d. */
static void q1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    static const int32_t up[8] = {31, 30, 29, 28, 27, 26, 25, 24};
    const int32x4_t up1 = vld1q_s32(up), up2 = vld1q_s32(up + 4);
    const uint32x4_t sign = vdupq_n_u32(0x80000000);

    for (; nblocks; nblocks--, src += 18, dst += 128) {
        uint32x4_t minus = vreinterpretq_u32_f32(vdupq_n_f32(-half(src)));
        for (int i = 0; i < 16; i++) {
            uint32x4_t bits = vdupq_n_u32(src[2 + i]);
            uint32x4_t first = veorq_u32(minus, vandq_u32(vshlq_u32(bits, up1), sign));
            uint32x4_t second = veorq_u32(minus, vandq_u32(vshlq_u32(bits, up2), sign));
            vst1q_f32(dst + 8 * i, vreinterpretq_f32_u32(first));
            vst1q_f32(dst + 8 * i + 4, vreinterpretq_f32_u32(second));
        }
    }
}

/* Each of four bytes four times, shifted down by 0, 2, 4, 6, and 1 taken off the pair. */
static void q2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    static const uint8_t fourfold[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    const uint8x16_t places = vld1q_u8(fourfold);
    const int8x16_t down = vreinterpretq_s8_u32(vdupq_n_u32(0xfafcfe00));

    for (; nblocks; nblocks--, src += 18, dst += 64) {
        float d = half(src);
        uint8x16_t q = vld1q_u8(src + 2);
        for (int i = 0; i < 4; i++) {
            uint8x16_t x = vqtbl1q_u8(q, vaddq_u8(places, vdupq_n_u8((uint8_t)(4 * i))));
            x = vandq_u8(vshlq_u8(x, down), vdupq_n_u8(3));
            put16(dst + 16 * i, vsubq_s8(vreinterpretq_s8_u8(x), vdupq_n_s8(1)), d);
        }
    }
}

static void iq4_nl(float *dst, const uint8_t *src, size_t nblocks)
{
    const int8x16_t codes = vld1q_s8(ggfs_grids_iq4nl);

    for (; nblocks; nblocks--, src += 18, dst += 32)
        put_coded(dst, src + 2, codes, half(src));
}

static void mxfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    const int8x16_t codes = vld1q_s8(ggfs_grids_fp4);

    for (; nblocks; nblocks--, src += 17, dst += 32)
        put_coded(dst, src + 1, codes, ggfs_grids.e8m0[src[0]]);
}

static void nvfp4(float *dst, const uint8_t *src, size_t nblocks)
{
    const int8x16_t codes = vld1q_s8(ggfs_grids_fp4);

    for (; nblocks; nblocks--, src += 36, dst += 64)
        for (int s = 0; s < 4; s++) {
            uint8x8_t q = vld1_u8(src + 4 + 8 * s);
            uint8x16_t x = vcombine_u8(vand_u8(q, vdup_n_u8(15)), vshr_n_u8(q, 4));
            put16(dst + 16 * s, vqtbl1q_s8(codes, x), ggfs_grids.ue4m3[src[s]]);
        }
}

/* --- blocks of 256 with scales of parts --- */

static void q2_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 84, dst += 256) {
        float d = half(src + 80), m = half(src + 82);
        for (int g = 0; g < 16; g++) {
            uint8x16_t q = vld1q_u8(src + 16 + g / 8 * 32 + g % 2 * 16);
            put16_plus(dst + 16 * g, moved(q, g / 2 % 4 * 2, 3), d * (float)(src[g] & 15),
                       -(m * (float)(src[g] >> 4)));
        }
    }
}

/* Low nibbles in words 0 and 1, then high ones; pairs of word 2 on top; 32 taken off. */
KERNEL_INLINE void q3_k_scales(int8_t out[16], const uint8_t *s)
{
    static const int8_t down[16] = {0, 0, 0, 0, -2, -2, -2, -2, -4, -4, -4, -4, -6, -6, -6, -6};
    uint8x8_t x = vld1_u8(s);
    uint8x16_t low = vcombine_u8(vand_u8(x, vdup_n_u8(15)), vshr_n_u8(x, 4));
    uint8x16_t high = vreinterpretq_u8_u32(vdupq_n_u32(word32(s + 8)));

    high = vandq_u8(vshlq_u8(high, vld1q_s8(down)), vdupq_n_u8(3));
    low = vorrq_u8(low, vshlq_n_u8(high, 4));
    vst1q_s8(out, vsubq_s8(vreinterpretq_s8_u8(low), vdupq_n_s8(32)));
}

static void q3_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 110, dst += 256) {
        float d = half(src + 108);
        int8_t scales[16];

        q3_k_scales(scales, src + 96);
        for (int g = 0; g < 16; g++) {
            uint8x16_t q = vld1q_u8(src + 32 + g / 8 * 32 + g % 2 * 16);
            uint8x16_t high = moved(vld1q_u8(src + g % 2 * 16), g / 2 - 2, 4);
            q = vorrq_u8(moved(q, g / 2 % 4 * 2, 3), high);
            put16(dst + 16 * g, vsubq_s8(vreinterpretq_s8_u8(q), vdupq_n_s8(4)),
                  d * (float)scales[g]);
        }
    }
}

/* Eight scales and eight minimums of Q4_K and Q5_K, six bits each, as bytes. */
KERNEL_INLINE void k_scales(uint8_t out[16], const uint8_t *s)
{
    uint32_t a = word32(s), b = word32(s + 4), c = word32(s + 8);
    uint32_t words[4] = {a & 0x3f3f3f3f, (c & 0x0f0f0f0f) | (a >> 2 & 0x30303030), b & 0x3f3f3f3f,
                         (c >> 4 & 0x0f0f0f0f) | (b >> 2 & 0x30303030)};

    memcpy(out, words, sizeof words);
}

static void q4_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 144, dst += 256) {
        float d = half(src), m = half(src + 2);
        uint8_t scales[16];

        k_scales(scales, src + 4);
        for (int g = 0; g < 16; g++) {
            uint8x16_t q = vld1q_u8(src + 16 + g / 4 * 32 + g % 2 * 16);
            put16_plus(dst + 16 * g, moved(q, g / 2 % 2 * 4, 15), d * (float)scales[g / 2],
                       -(m * (float)scales[8 + g / 2]));
        }
    }
}

static void q5_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 176, dst += 256) {
        float d = half(src), m = half(src + 2);
        uint8_t scales[16];

        k_scales(scales, src + 4);
        for (int g = 0; g < 16; g++) {
            uint8x16_t q = vld1q_u8(src + 48 + g / 4 * 32 + g % 2 * 16);
            uint8x16_t fifth = moved(vld1q_u8(src + 16 + g % 2 * 16), g / 2 - 4, 16);
            q = vorrq_u8(moved(q, g / 2 % 2 * 4, 15), fifth);
            put16_plus(dst + 16 * g, q, d * (float)scales[g / 2], -(m * (float)scales[8 + g / 2]));
        }
    }
}

static void q6_k(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 210, dst += 256) {
        float d = half(src + 208);
        for (int g = 0; g < 16; g++) {
            int r = g / 2 % 4;
            uint8x16_t q = vld1q_u8(src + g / 8 * 64 + g % 4 * 16);
            uint8x16_t high = vld1q_u8(src + 128 + g / 8 * 32 + g % 2 * 16);
            q = vorrq_u8(moved(q, r / 2 * 4, 15), moved(high, 2 * r - 4, 48));
            put16(dst + 16 * g, vsubq_s8(vreinterpretq_s8_u8(q), vdupq_n_s8(32)),
                  d * (float)(int8_t)src[192 + g]);
        }
    }
}

static void iq4_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    const int8x16_t codes = vld1q_s8(ggfs_grids_iq4nl);

    for (; nblocks; nblocks--, src += 136, dst += 256)
        for (int g = 0; g < 8; g++) {
            int low = src[4 + g / 2] >> 4 * (g % 2) & 15;
            int high = word16(src + 2) >> 2 * g & 3;
            put_coded(dst + 32 * g, src + 8 + 16 * g, codes,
                      half(src) * (float)((low | high << 4) - 32));
        }
}

/* --- ternary --- */

KERNEL_INLINE int8x16_t minus_one(uint8x16_t x)
{
    return vsubq_s8(vreinterpretq_s8_u8(x), vdupq_n_s8(1));
}

static void tq2_0(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 66, dst += 256) {
        float d = half(src + 64);
        for (int g = 0; g < 16; g++) {
            uint8x16_t q = vld1q_u8(src + g / 8 * 32 + g % 2 * 16);
            put16(dst + 16 * g, minus_one(moved(q, g / 2 % 4 * 2, 3)), d);
        }
    }
}

/* The upper bytes of three times x. */
KERNEL_INLINE uint8x16_t digits(uint8x16_t x)
{
    uint16x8_t low = vmull_u8(vget_low_u8(x), vdup_n_u8(3));
    uint16x8_t high = vmull_high_u8(x, vdupq_n_u8(3));

    return vuzp2q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
}

/* 16 bytes to five digits each, `apart` values from one to the next. */
KERNEL_INLINE void put_ternary(float *v, size_t apart, const uint8_t *q, float d)
{
    uint8x16_t x = vld1q_u8(q);

    for (int i = 0; i < 5; i++, v += apart) {
        put16(v, minus_one(digits(x)), d);
        x = vmulq_u8(x, vdupq_n_u8(3));
    }
}

static void tq1_0(float *dst, const uint8_t *src, size_t nblocks)
{
    static const uint8_t powers[16] = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};

    for (; nblocks; nblocks--, src += 54, dst += 256) {
        float d = half(src + 52);
        uint8x16_t last = vreinterpretq_u8_u32(vdupq_n_u32(word32(src + 48)));
        put_ternary(dst, 32, src, d);
        put_ternary(dst + 16, 32, src + 16, d);
        put_ternary(dst + 160, 16, src + 32, d);
        put16(dst + 240, minus_one(digits(vmulq_u8(last, vld1q_u8(powers)))), d);
    }
}

/* --- grids --- */

/* The digits of an entry of eight values, a byte each. */
KERNEL_INLINE uint8x8_t digits_of(uint16_t entry)
{
    static const int16_t down[8] = {0, -2, -4, -6, -8, -10, -12, -14};
    uint16x8_t x = vshlq_u16(vdupq_n_u16(entry), vld1q_s16(down));

    return vand_u8(vmovn_u16(x), vdup_n_u8(3));
}

KERNEL_INLINE void put_signed(float *v, float32x4_t x, const uint32_t *signs)
{
    uint32x4_t bits = veorq_u32(vreinterpretq_u32_f32(x), vld1q_u32(signs));

    vst1q_f32(v, vreinterpretq_f32_u32(bits));
}

KERNEL_INLINE void put_iq2(float *v, uint16_t entry, unsigned signs, float d)
{
    static const int8_t values[16] = {8, 25, 43};
    int16x8_t x = vmovl_s8(vqtbl1_s8(vld1q_s8(values), digits_of(entry)));
    const uint32_t *row = ggfs_grids.sign_bits[signs];

    put_signed(v, vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))), d), row);
    put_signed(v + 4, vmulq_n_f32(vcvtq_f32_s32(vmovl_high_s16(x)), d), row + 4);
}

static void iq2_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 66)
        for (const uint8_t *part = src + 2; part < src + 66; part += 8) {
            uint32_t w = word32(part + 4);
            float d = half(src) * (0.5f + (float)(w >> 28)) * 0.25f;
            for (int l = 0; l < 4; l++, dst += 8)
                put_iq2(dst, ggfs_grids.iq2xxs[part[l]], ggfs_grids.signs[w >> 7 * l & 127], d);
        }
}

/* Scale of 16 values, number p / 2 where p counts eights: a nibble, the low one first. */
KERNEL_INLINE float half_scale(float d, const uint8_t *s, int p)
{
    return d * (0.5f + (float)(s[p / 4] >> 4 * (p / 2 % 2) & 15)) * 0.25f;
}

static void iq2_xs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 74) {
        float d = half(src);
        for (int p = 0; p < 32; p++, dst += 8) {
            uint16_t w = word16(src + 2 + 2 * p);
            put_iq2(dst, ggfs_grids.iq2xs[w & 511], ggfs_grids.signs[w >> 9],
                    half_scale(d, src + 66, p));
        }
    }
}

static void iq2_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 82) {
        float d = half(src);
        for (int p = 0; p < 32; p++, dst += 8) {
            int index = src[2 + p] | (src[66 + p / 4] >> 2 * (p % 4) & 3) << 8;
            put_iq2(dst, ggfs_grids.iq2s[index], src[34 + p], half_scale(d, src + 74, p));
        }
    }
}

KERNEL_INLINE void put_iq3(float *v, const float *first, const float *second, unsigned signs,
                           float d)
{
    const uint32_t *row = ggfs_grids.sign_bits[signs];

    put_signed(v, vmulq_n_f32(vld1q_f32(first), d), row);
    put_signed(v + 4, vmulq_n_f32(vld1q_f32(second), d), row + 4);
}

static void iq3_xxs(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 98) {
        float d = half(src);
        for (int p = 0; p < 32; p++, dst += 8) {
            const uint8_t *index = src + 2 + 2 * p;
            uint32_t w = word32(src + 66 + p / 4 * 4);
            put_iq3(dst, ggfs_grids.iq3xxs_floats[index[0]], ggfs_grids.iq3xxs_floats[index[1]],
                    ggfs_grids.signs[w >> 7 * (p % 4) & 127], d * (0.5f + (float)(w >> 28)) * 0.5f);
        }
    }
}

static void iq3_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 110) {
        float d = half(src);
        for (int p = 0; p < 32; p++, dst += 8) {
            int high = src[66 + p / 4] >> 2 * (p % 4);
            int scale = src[106 + p / 8] >> 4 * (p / 4 % 2) & 15;
            put_iq3(dst, ggfs_grids.iq3s_floats[src[2 + 2 * p] | (high & 1) << 8],
                    ggfs_grids.iq3s_floats[src[3 + 2 * p] | (high & 2) << 7], src[74 + p],
                    d * (float)(1 + 2 * scale));
        }
    }
}

/* Eight times what the digits 0, 1, 2 stand for, after eight for a positive delta those for a
 * negative one. d has an eighth. */
KERNEL_INLINE void put_iq1(float *v, uint16_t entry, bool minus, float d)
{
    static const int8_t values[16] = {-7, 1, 9, 0, 0, 0, 0, 0, -9, -1, 7, 0, 0, 0, 0, 0};
    uint8x8_t x = vorr_u8(digits_of(entry), vdup_n_u8(minus ? 8 : 0));

    put_eight(v, vmovl_s8(vqtbl1_s8(vld1q_s8(values), x)), d);
}

static void iq1_s(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 50) {
        float d = half(src);
        for (int p = 0; p < 32; p++, dst += 8) {
            uint16_t w = word16(src + 34 + p / 4 * 2);
            int index = src[2 + p] | (w >> 3 * (p % 4) & 7) << 8;
            put_iq1(dst, ggfs_grids.iq1[index], w & 0x8000,
                    d * (float)(2 * (w >> 12 & 7) + 1) * 0.125f);
        }
    }
}

static void iq1_m(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 56) {
        const uint8_t *w = src + 48;
        uint8_t top[2] = {(uint8_t)(w[1] >> 4 | (w[3] & 0xf0)),
                          (uint8_t)(w[5] >> 4 | (w[7] & 0xf0))};
        float d = half(top);
        for (int p = 0; p < 32; p++, dst += 8) {
            int x = src[32 + p / 2] >> 4 * (p % 2);
            int scale = word16(w + p / 8 * 2) >> 3 * (p / 2 % 4) & 7;
            put_iq1(dst, ggfs_grids.iq1[src[p] | (x & 7) << 8], x & 8,
                    d * (float)(2 * scale + 1) * 0.125f);
        }
    }
}

/* clang-format off */
const struct ggfs_kernel_set ggfs_kernels_neon = {
    .name = "neon",
    .needs = GGFS_CPU_NEON,
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
        [GGFS_TYPE_Q4_0_V1] = ggfs_neon_q4_0_v1,
        [GGFS_TYPE_Q4_1_V1] = ggfs_neon_q4_1_v1,
        [GGFS_TYPE_Q4_2_V1] = ggfs_neon_q4_2_v1,
        [GGFS_TYPE_Q4_3_V1] = ggfs_neon_q4_3_v1,
        [GGFS_TYPE_Q5_0_V1] = ggfs_neon_q5_0_v1,
        [GGFS_TYPE_Q5_1_V1] = ggfs_neon_q5_1_v1,
        [GGFS_TYPE_Q8_0_V1] = ggfs_neon_q8_0_v1,
        [GGFS_TYPE_Q4_0_V2] = ggfs_neon_q4_0_v2,
        [GGFS_TYPE_Q4_1_V2] = ggfs_neon_q4_1_v2,
        [GGFS_TYPE_Q8_0_V2] = ggfs_neon_q8_0_v1,
    },
};
/* clang-format on */
