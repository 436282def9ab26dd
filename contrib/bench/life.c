/* SPDX-License-Identifier: MIT */
/* life.c - the figures about the daemon: how long a mount takes, how much memory it holds. */
#include <config.h>

#include "figure.h"

#include "ground.h"
#include "mounts.h"
#include "readers.h"

#include <math.h>

#define MIB (1024.0 * 1024)

/* The limits of memory: a start, and so many copies of the header; and how much more it may be when
 * everything was read. */
enum { START_MIB = 6, HEADERS = 3, GROWTH_MIB = 8 };

/* The reference is reading as much of the file as parsing must. */
static bool read_header(const struct ground *ground, double *seconds)
{
    struct readers readers = {
        ground->large.text, {0, ground->large_header}, MANNER_SEQUENTIAL, (size_t)1 << 20, 1};
    struct meter meter = {0};

    if (!readers_run(&readers, &meter))
        return false;
    *seconds = meter.wall;
    return true;
}

static bool mount_side(struct ground *ground, enum side side, struct mount *mount)
{
    if (side == SIDE_CEILING)
        return ground_mount_ceiling(ground, CACHE_AUTO, mount);
    return ground_mount(ground, &ground->large, mount);
}

static bool measure_time(const struct figure *figure, struct ground *ground, enum side side,
                         struct take *take)
{
    struct mount mount = {0};
    bool ok;

    (void)figure;
    if (!ground_large(ground))
        return false;
    if (side == SIDE_REFERENCE) {
        ok = read_header(ground, &mount.seconds);
        take->value = mount.seconds * 1e3;
        return ok;
    }
    ok = mount_side(ground, side, &mount);
    take->value = mount.seconds * 1e3;
    mounts_end(&mount);
    return ok;
}

static bool measure_memory(const struct figure *figure, struct ground *ground, enum side side,
                           struct take *take)
{
    struct mount mount = {0};
    bool ok;

    (void)figure;
    if (!ground_large(ground))
        return false;
    if (side == SIDE_REFERENCE) {
        take->value = START_MIB + HEADERS * (double)ground->large_header / MIB;
        return true;
    }
    ok = mount_side(ground, side, &mount);
    take->value = ok ? mounts_rss(&mount) : NAN;
    mounts_end(&mount);
    return ok;
}

static bool read_whole(struct path path, uint64_t bytes)
{
    struct readers readers = {path.text, {0, bytes}, MANNER_SEQUENTIAL, (size_t)1 << 20, 2};
    struct meter meter = {0};

    return readers_run(&readers, &meter);
}

static bool read_everything(const struct ground *ground, const char *at)
{
    bool ok = read_whole(path_of("%s/tensors/%s", at, MODEL_RAW), ground->weights.raw.bytes);

    for (unsigned t = 0; ok && t < MODEL_TYPES; t++) {
        const char *name = model_typed_name(t);
        ok = read_whole(path_of("%s/tensors/%s", at, name), ground->weights.typed[t].bytes) &&
             read_whole(path_of("%s/views/f32/%s.f32", at, name), ground->weights.floats);
    }
    return ok;
}

static bool measure_growth(const struct figure *figure, struct ground *ground, enum side side,
                           struct take *take)
{
    struct mount mount = {0};
    double before;
    bool ok;

    (void)figure;
    if (side == SIDE_REFERENCE)
        take->value = GROWTH_MIB;
    if (side != SIDE_SUBJECT)
        return true;
    if (!ground_weights(ground, CACHE_AUTO) || !ground_mount(ground, &ground->weights_path, &mount))
        return false;
    before = mounts_rss(&mount);
    ok = read_everything(ground, mount.at.text);
    take->value = mounts_rss(&mount) - before;
    mounts_end(&mount);
    return ok;
}

const struct figure life_figures[] = {
    {"mount/time", UNIT_MS, GOAL_VALUE, 60, measure_time, NULL},
    {"mount/memory", UNIT_MIB, GOAL_REFERENCE, 1, measure_memory, NULL},
    {"mount/growth", UNIT_MIB, GOAL_REFERENCE, 1, measure_growth, NULL},
};

const size_t life_count = sizeof life_figures / sizeof *life_figures;
