/* SPDX-License-Identifier: MIT */
/* num.h - arithmetic on numbers that come from a file: checked, and in either byte order. */
#ifndef GGFS_BASE_NUM_H
#define GGFS_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Each returns false, with *out unspecified, where the exact result does not fit. */
static inline bool ggfs_num_add(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool ggfs_num_mul(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ggfs_num_add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool ggfs_num_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ggfs_num_to_size(uint64_t a, size_t *out)
{
    *out = (size_t)a;
    return (uint64_t)*out == a;
}

/* The next multiple of align (a power of two) that is not below a. */
static inline bool ggfs_num_align(uint64_t a, uint64_t align, uint64_t *out)
{
    if (!ggfs_num_add(a, align - 1, out))
        return false;
    *out &= ~(align - 1);
    return true;
}

static inline bool ggfs_num_is_power_of_2(uint64_t a)
{
    return a != 0 && (a & (a - 1)) == 0;
}

/* a / b rounded up; b is not 0. */
static inline uint64_t ggfs_num_div_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t ggfs_num_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Words at any address, in the byte order that big says. */
static inline uint16_t ggfs_num_u16(const void *p, bool big)
{
    const uint8_t *b = p;
    return (uint16_t)(big ? (unsigned)b[0] << 8 | b[1] : (unsigned)b[1] << 8 | b[0]);
}

static inline uint32_t ggfs_num_u32(const void *p, bool big)
{
    const uint8_t *b = p;
    uint32_t first = ggfs_num_u16(b, big), second = ggfs_num_u16(b + 2, big);
    return big ? first << 16 | second : second << 16 | first;
}

static inline uint64_t ggfs_num_u64(const void *p, bool big)
{
    const uint8_t *b = p;
    uint64_t first = ggfs_num_u32(b, big), second = ggfs_num_u32(b + 4, big);
    return big ? first << 32 | second : second << 32 | first;
}

/* The IEEE 754 number with these bits. */
static inline float ggfs_num_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline double ggfs_num_f64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

#endif
