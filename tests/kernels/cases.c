/* SPDX-License-Identifier: MIT */
/* cases.c - random blocks in every count and place, between pages that no one may touch. */
#include <config.h>

#include "checkkern.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* So many blocks of 256 are more than any kernel takes at a time. */
enum { MOST_VALUES = 18 * 256, MOST_BLOCKS = 72, ROOM = 32768, PATTERN = 0xa5, ROUNDS = 4 };

/* ROOM bytes with a page before and behind that faults. */
struct guarded {
    uint8_t *map;
    size_t page;
    uint8_t *room;
};

static bool guarded_make(struct guarded *g)
{
    g->page = (size_t)sysconf(_SC_PAGESIZE);
    g->map = mmap(NULL, ROOM + 2 * g->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED)
        return false;
    g->room = g->map + g->page;
    return mprotect(g->room, ROOM, PROT_READ | PROT_WRITE) == 0;
}

static struct guarded source, output;

/* Where n bytes lie in ROOM: against the first page, against the last one, or skewed. */
enum place { AT_START, AT_END, SKEWED, PLACES };

static uint8_t *placed(const struct guarded *g, enum place place, size_t n, size_t skew)
{
    if (place == AT_START)
        return g->room;
    if (place == AT_END)
        return g->room + ROOM - n;
    return g->room + skew;
}

static bool untouched(const uint8_t *from, const uint8_t *to)
{
    while (from < to)
        if (*from++ != PATTERN)
            return false;
    return true;
}

static bool try_one(struct subject *s, enum place place, uint64_t *state, enum scales scales,
                    size_t nblocks)
{
    static float want[MOST_VALUES];
    size_t in = nblocks * s->info->block_bytes, n = nblocks * s->info->block_values;
    uint64_t r = random_next(state);
    uint8_t *src = placed(&source, place, in, 1 + 2 * (r % 32));
    float *dst = (float *)(void *)placed(&output, place, 4 * n, 4 * (r >> 8) % 64);

    blocks_fill(s->info, state, scales, src, nblocks);
    s->oracle(want, src, nblocks);
    memset(output.room, PATTERN, ROOM);
    s->fn(dst, src, nblocks);
    if (!subject_same(s, dst, want, n))
        return false;
    if (!untouched(output.room, (uint8_t *)dst))
        return subject_fail(s, "%zu blocks: wrote before the first value", nblocks);
    if (!untouched((uint8_t *)(dst + n), output.room + ROOM))
        return subject_fail(s, "%zu blocks: wrote behind the last value", nblocks);
    return true;
}

static bool try_all(struct subject *s, uint64_t *state, enum scales scales)
{
    size_t most = MOST_VALUES / s->info->block_values;

    if (most > MOST_BLOCKS)
        most = s->info->block_values == 1 ? 200 : MOST_BLOCKS;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t nblocks = 0; nblocks <= most; nblocks++)
            for (int place = 0; place < PLACES; place++)
                if (!try_one(s, (enum place)place, state, scales, nblocks))
                    return false;
    return true;
}

bool cases_run(struct subject *s, uint64_t seed)
{
    if (!output.map && !(guarded_make(&source) && guarded_make(&output))) {
        perror("checkkern: mmap");
        return false;
    }
    s->step = "random bytes";
    if (!try_all(s, &seed, SCALES_RANDOM))
        return false;
    s->step = "plain scales";
    if (!try_all(s, &seed, SCALES_PLAIN))
        return false;
    s->step = "special scales";
    return try_all(s, &seed, SCALES_SPECIAL);
}
