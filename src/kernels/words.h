/* SPDX-License-Identifier: MIT */
/* words.h - what all kernel files share: little-endian words at any address, half floats. */
#ifndef GGFS_KERNELS_WORDS_H
#define GGFS_KERNELS_WORDS_H

#include <stdint.h>
#include <string.h>

/* For what only pays once it is inlined with constant arguments, and for loops of few rounds. */
#define KERNEL_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define KERNEL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define KERNEL_UNROLL _Pragma("GCC unroll 16")
#endif

/* A word put together of bytes would do for either byte order; compilers make worse code of it. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KERNEL_LITTLE(bits, word) (word)
#else
#define KERNEL_LITTLE(bits, word) __builtin_bswap##bits(word)
#endif

static inline uint16_t word16(const uint8_t *b)
{
    uint16_t word;

    memcpy(&word, b, sizeof word);
    return KERNEL_LITTLE(16, word);
}

static inline uint32_t word32(const uint8_t *b)
{
    uint32_t word;

    memcpy(&word, b, sizeof word);
    return KERNEL_LITTLE(32, word);
}

static inline uint64_t word64(const uint8_t *b)
{
    uint64_t word;

    memcpy(&word, b, sizeof word);
    return KERNEL_LITTLE(64, word);
}

static inline float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline float float_at(const uint8_t *b)
{
    return float_of_bits(word32(b));
}

/* Exact for every half: subnormals are counted in units of 2^-24, the others get their exponent
 * rebiased by 127 - 15, infinity and NaN by as much again. */
static inline float float_of_half(uint16_t half)
{
    uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;

    if (magnitude < 0x400) {
        float units = (float)magnitude * 0x1p-24f;
        return sign ? -units : units;
    }
    magnitude = (magnitude << 13) + (112u << 23);
    if (magnitude >= 143u << 23)
        magnitude += 112u << 23;
    return float_of_bits(sign | magnitude);
}

/* F8_E4M3: sign 1, exponent 4 (bias 7), fraction 3; all ones is NaN, there is no infinity. */
static inline uint32_t bits_of_e4m3(uint8_t c)
{
    static const uint32_t subnormal[8] = {0,          0x3b000000, 0x3b800000, 0x3bc00000,
                                          0x3c000000, 0x3c200000, 0x3c400000, 0x3c600000};
    uint32_t sign = (uint32_t)(c & 0x80) << 24, magnitude = c & 0x7f;

    if (magnitude == 0x7f)
        return sign | 0x7fc00000;
    return sign | (magnitude < 8 ? subnormal[magnitude] : (magnitude << 20) + (120u << 23));
}

static inline float half_at(const uint8_t *b)
{
    return float_of_half(word16(b));
}

#endif
