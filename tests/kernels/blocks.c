/* SPDX-License-Identifier: MIT */
/* blocks.c - made-up blocks: random bytes, and scales that a formula may trip over. */
#include <config.h>

#include "checkkern.h"

#include <stdlib.h>
#include <string.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void random_fill(uint64_t *state, uint8_t *dst, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = (uint8_t)random_next(state);
}

/* 1, 1/3, zero, subnormals, the smallest normal, the largest, infinity, NaNs; a sign is added. */
static const uint16_t special_halves[] = {
    0x3c00, 0x3555, 0x0000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0x7e00, 0x7c01,
};
static const uint32_t special_floats[] = {
    0x3f800000, 0x3eaaaaab, 0x00000000, 0x00000001, 0x007fffff,
    0x00800000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001,
};
static const uint64_t special_doubles[] = {
    0x3ff0000000000000, 0x0000000000000000, 0x0000000000000001, 0x36a0000000000000,
    0x380fffffffffffff, 0x47efffffefffffff, 0x47effffff0000000, 0x7ff0000000000000,
    0x7ff8000000000000, 0x3ff0000010000000, 0x3ff0000030000000, 0x4330000000000001,
};

#define PICK(array, r) (array)[(r) % (sizeof(array) / sizeof(array)[0])]

static uint64_t special(char kind, uint64_t r)
{
    uint64_t minus = r >> 63;

    if (kind == 'h')
        return PICK(special_halves, r) | minus << 15;
    if (kind == 'w')
        return PICK(special_floats, r) | minus << 31;
    return PICK(special_doubles, r) | minus << 63;
}

/* A scale as models have them: 2^-6 in the middle. */
static uint64_t plain(char kind, uint64_t r)
{
    if (kind == 'h')
        return 0x2000 + r % 0x400;
    if (kind == 'w')
        return 0x3c800000 + r % 0x10000;
    return 0x3f90000000000000 + r % 0x10000000;
}

static void put(uint8_t *dst, uint64_t word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        dst[i] = (uint8_t)(word >> 8 * i);
}

static size_t bytes_of(char kind)
{
    return kind == 'd' ? 8 : kind == 'w' ? 4 : kind == 'h' ? 2 : 1;
}

/* The first field of a run is the scale where there is one; words behind it are so now and then. */
static void set_fields(const char *fields, uint64_t *state, enum scales scales, uint8_t *block)
{
    while (*fields) {
        char kind = *fields++;
        unsigned long count = strtoul(fields, (char **)&fields, 10);
        for (unsigned long i = 0; i < count; i++, block += bytes_of(kind)) {
            uint64_t r = random_next(state);
            if (kind == 'b' || (i > 1 && r & 0x100))
                continue;
            put(block, scales == SCALES_PLAIN ? plain(kind, r) : special(kind, r), bytes_of(kind));
        }
    }
}

/* The scales that no field tells of. */
static void set_odd_scales(const struct ggfs_type_info *info, uint64_t *state, enum scales scales,
                           uint8_t *block)
{
    uint64_t r = random_next(state);

    if (info == &ggfs_types[GGFS_TYPE_IQ1_M]) {
        uint64_t half = scales == SCALES_PLAIN ? plain('h', r) : special('h', r);
        for (int i = 0; i < 4; i++)
            block[49 + 2 * i] = (uint8_t)((block[49 + 2 * i] & 15) | (half >> 4 * i & 15) << 4);
    } else if (info == &ggfs_types[GGFS_TYPE_MXFP4]) {
        block[0] = (uint8_t)(scales == SCALES_PLAIN ? 120 + r % 8 : (r & 1) * 252 + (r >> 1 & 3));
    } else if (info == &ggfs_types[GGFS_TYPE_NVFP4]) {
        for (int i = 0; i < 4; i++)
            block[i] = (uint8_t)(scales == SCALES_PLAIN ? 0x30 : (r >> 8 * i | 0x78));
    }
}

void blocks_fill(const struct ggfs_type_info *info, uint64_t *state, enum scales scales,
                 uint8_t *dst, size_t nblocks)
{
    random_fill(state, dst, nblocks * info->block_bytes);
    if (scales == SCALES_RANDOM)
        return;
    for (; nblocks; nblocks--, dst += info->block_bytes) {
        set_fields(info->fields, state, scales, dst);
        set_odd_scales(info, state, scales, dst);
    }
}
