/* SPDX-License-Identifier: MIT */
/* neon.h - small steps that the NEON kernel files share. */
#ifndef GGFS_KERNELS_ARM_NEON_H
#define GGFS_KERNELS_ARM_NEON_H

#include "kernels/words.h"

#include <arm_neon.h>

/* The instruction's, which has all the bits of float_of_half. */
KERNEL_INLINE float half(const uint8_t *b)
{
    float16x4_t x = vreinterpret_f16_u16(vdup_n_u16(word16(b)));

    return vgetq_lane_f32(vcvt_f32_f16(x), 0);
}

/* Eight words times d. */
KERNEL_INLINE void put_eight(float *v, int16x8_t x, float d)
{
    vst1q_f32(v, vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))), d));
    vst1q_f32(v + 4, vmulq_n_f32(vcvtq_f32_s32(vmovl_high_s16(x)), d));
}

/* 16 signed bytes times d. */
KERNEL_INLINE void put16(float *v, int8x16_t x, float d)
{
    put_eight(v, vmovl_s8(vget_low_s8(x)), d);
    put_eight(v + 8, vmovl_high_s8(x), d);
}

KERNEL_INLINE void put_eight_plus(float *v, uint16x8_t x, float d, float m)
{
    float32x4_t low = vcvtq_f32_u32(vmovl_u16(vget_low_u16(x)));
    float32x4_t high = vcvtq_f32_u32(vmovl_high_u16(x));

    vst1q_f32(v, vfmaq_f32(vdupq_n_f32(m), low, vdupq_n_f32(d)));
    vst1q_f32(v + 4, vfmaq_f32(vdupq_n_f32(m), high, vdupq_n_f32(d)));
}

/* 16 unsigned bytes times d, plus m. */
KERNEL_INLINE void put16_plus(float *v, uint8x16_t x, float d, float m)
{
    put_eight_plus(v, vmovl_u8(vget_low_u8(x)), d, m);
    put_eight_plus(v + 8, vmovl_high_u8(x), d, m);
}

KERNEL_INLINE uint8x16_t low_nibbles(uint8x16_t q)
{
    return vandq_u8(q, vdupq_n_u8(15));
}

KERNEL_INLINE uint8x16_t high_nibbles(uint8x16_t q)
{
    return vshrq_n_u8(q, 4);
}

/* The 16 bits at b to bytes, 0xff for a one. */
KERNEL_INLINE uint8x16_t bytes_of_bits(const uint8_t *b)
{
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

    return vtstq_u8(vcombine_u8(vdup_n_u8(b[0]), vdup_n_u8(b[1])), vld1q_u8(bits));
}

/* q - 16 is q with the four upper bits set, where the fifth is not. */
KERNEL_INLINE int8x16_t with_fifth_signed(uint8x16_t q, const uint8_t *fifth)
{
    uint8x16_t upper = vbicq_u8(vdupq_n_u8(0xf0), bytes_of_bits(fifth));

    return vreinterpretq_s8_u8(vorrq_u8(q, upper));
}

KERNEL_INLINE uint8x16_t with_fifth(uint8x16_t q, const uint8_t *fifth)
{
    return vorrq_u8(q, vandq_u8(bytes_of_bits(fifth), vdupq_n_u8(16)));
}

KERNEL_INLINE void put_scaled(float *v, const uint8_t *q, size_t n, float d)
{
    for (size_t i = 0; i < n; i += 16)
        put16(v + i, vreinterpretq_s8_u8(vld1q_u8(q + i)), d);
}

#endif
