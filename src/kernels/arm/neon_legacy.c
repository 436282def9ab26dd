/* SPDX-License-Identifier: MIT */
/* neon_legacy.c - kernels for AArch64: block layouts from before GGUF.
 *
 * Blocks are drawn in scalar_legacy.c; the common ways are those of neon.c. The product with an f32
 * scale is not exact: multiply and add are two steps there, each of which rounds. */
#include <config.h>

#include "kernels/arm/legacy.h"
#include "kernels/arm/neon.h"
#include "kernels/words.h"

/* The codes of 16 bytes of neighbour nibbles, in order, or of split ones. */
KERNEL_INLINE uint8x16x2_t neighbours(const uint8_t *q)
{
    uint8x16_t x = vld1q_u8(q);

    return vzipq_u8(low_nibbles(x), high_nibbles(x));
}

KERNEL_INLINE uint8x16x2_t split(const uint8_t *q)
{
    uint8x16_t x = vld1q_u8(q);

    return (uint8x16x2_t){{low_nibbles(x), high_nibbles(x)}};
}

/* The codes of 8 bytes of neighbour nibbles. */
KERNEL_INLINE uint8x16_t few_neighbours(const uint8_t *q)
{
    uint8x8_t x = vld1_u8(q);
    uint8x8x2_t both = vzip_u8(vand_u8(x, vdup_n_u8(15)), vshr_n_u8(x, 4));

    return vcombine_u8(both.val[0], both.val[1]);
}

KERNEL_INLINE int8x16_t less_8(uint8x16_t codes)
{
    return vreinterpretq_s8_u8(vsubq_u8(codes, vdupq_n_u8(8)));
}

KERNEL_INLINE void put_32_less_8(float *v, uint8x16x2_t codes, float d)
{
    put16(v, less_8(codes.val[0]), d);
    put16(v + 16, less_8(codes.val[1]), d);
}

/* Four codes times d, rounded, plus m. */
KERNEL_INLINE void put4_rounded(float *v, uint32x4_t x, float d, float m)
{
    vst1q_f32(v, vaddq_f32(vmulq_n_f32(vcvtq_f32_u32(x), d), vdupq_n_f32(m)));
}

KERNEL_INLINE void put_eight_rounded(float *v, uint16x8_t x, float d, float m)
{
    put4_rounded(v, vmovl_u16(vget_low_u16(x)), d, m);
    put4_rounded(v + 4, vmovl_high_u16(x), d, m);
}

KERNEL_INLINE void put_32_rounded(float *v, uint8x16x2_t codes, float d, float m)
{
    for (int i = 0; i < 2; i++) {
        put_eight_rounded(v + 16 * i, vmovl_u8(vget_low_u8(codes.val[i])), d, m);
        put_eight_rounded(v + 16 * i + 8, vmovl_high_u8(codes.val[i]), d, m);
    }
}

void ggfs_neon_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32)
        put_32_less_8(dst, neighbours(src + 4), float_at(src));
}

void ggfs_neon_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32)
        put_32_rounded(dst, neighbours(src + 8), float_at(src), float_at(src + 4));
}

void ggfs_neon_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 10, dst += 16)
        put16(dst, less_8(few_neighbours(src + 2)), half(src));
}

void ggfs_neon_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 12, dst += 16)
        put16_plus(dst, few_neighbours(src + 4), half(src), half(src + 2));
}

void ggfs_neon_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 22, dst += 32) {
        float d = half(src);
        uint8x16x2_t q = neighbours(src + 6);
        put16(dst, with_fifth_signed(q.val[0], src + 2), d);
        put16(dst + 16, with_fifth_signed(q.val[1], src + 4), d);
    }
}

void ggfs_neon_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32) {
        float d = half(src), m = half(src + 2);
        uint8x16x2_t q = neighbours(src + 8);
        put16_plus(dst, with_fifth(q.val[0], src + 4), d, m);
        put16_plus(dst + 16, with_fifth(q.val[1], src + 6), d, m);
    }
}

void ggfs_neon_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 36, dst += 32)
        put_scaled(dst, src + 4, 32, float_at(src));
}

void ggfs_neon_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 20, dst += 32)
        put_32_less_8(dst, split(src + 4), float_at(src));
}

void ggfs_neon_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks)
{
    for (; nblocks; nblocks--, src += 24, dst += 32)
        put_32_rounded(dst, split(src + 8), float_at(src), float_at(src + 4));
}
