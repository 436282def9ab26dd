/* SPDX-License-Identifier: MIT */
/* reads.c - the figures about bytes: raw tensors and float views, read, mapped and copied. */
#include <config.h>

#include "figure.h"

#include "child.h"
#include "ground.h"
#include "readers.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KIB (size_t)1024
#define MIB (size_t)(1024 * 1024)
#define GIB (1024.0 * 1024 * 1024)

/* The large tensor's bytes, or the view of a type; RAW is not one. */
enum { RAW = MODEL_TYPES };

/* What the page cache shall hold before. */
enum before { AS_IT_IS, EMPTIED, FILLED };

struct how {
    unsigned what;
    unsigned cache;
    enum manner manner;
    size_t piece;
    unsigned readers;
    enum before before;
    const char *program; /* that copies instead: cat or cp */
};

/* The file of one side, and the range of it that is read. */
struct file {
    struct path path;
    struct range range;
    const struct mount *mount; /* NULL for a plain file */
};

static struct file file_of(const struct ground *g, const struct how *how, enum side side)
{
    const struct mount *mount = &g->ggfs_at[how->cache];
    bool raw = how->what == RAW;
    struct file file = {.range = {0, raw ? g->weights.raw.bytes : g->weights.floats}};

    if (side == SIDE_REFERENCE) {
        file.path = g->weights_path;
        file.range.offset = raw ? g->weights.raw.offset : g->weights.typed[MODEL_F32].offset;
        return file;
    }
    if (side == SIDE_CEILING)
        mount = &g->ceiling_at[how->cache];
    file.mount = mount;
    if (side == SIDE_CEILING)
        file.path = path_of("%s/%s", mount->at.text, raw ? "splice" : "ready");
    else if (raw)
        file.path = path_of("%s/tensors/%s", mount->at.text, MODEL_RAW);
    else
        file.path = path_of("%s/views/f32/%s.f32", mount->at.text, model_typed_name(how->what));
    return file;
}

/* The page cache of the model itself is always full. */
static bool prepare(const struct file *file, enum side side, enum before before)
{
    struct readers fill = {file->path.text, file->range, MANNER_SEQUENTIAL, MIB, 1};
    struct meter meter = {0};

    if (side == SIDE_REFERENCE || before == AS_IT_IS)
        return true;
    return before == EMPTIED ? readers_forget(file->path.text) : readers_run(&fill, &meter);
}

static bool measure(const struct figure *figure, struct ground *ground, enum side side,
                    struct take *take)
{
    const struct how *how = figure->how;
    struct readers readers = {.manner = how->manner, .piece = how->piece, .count = how->readers};
    struct meter meter = {0};
    struct file file;

    if (!ground_weights(ground, how->cache))
        return false;
    file = file_of(ground, how, side);
    readers.path = file.path.text;
    readers.range = file.range;
    if (file.mount)
        mounts_watch(file.mount, &meter);
    if (!prepare(&file, side, how->before) || !readers_run(&readers, &meter))
        return false;
    if (how->manner == MANNER_RANDOM) {
        take->value = (double)READERS_RANDOM / meter.wall * 1e-3;
        take->cpu = meter.cpu / (double)READERS_RANDOM * 1e6;
    } else {
        take->value = (double)file.range.bytes / meter.wall * 1e-9;
        take->cpu = meter.cpu / ((double)file.range.bytes / GIB);
    }
    return true;
}

/* The floats as a plain file, for programs that take whole files. */
static bool make_floats(const struct ground *ground, struct path *plain)
{
    struct file from = file_of(ground, &(struct how){.what = MODEL_F32}, SIDE_SUBJECT);
    const char *copy[] = {"cp", from.path.text, plain->text, NULL};

    *plain = path_of("%s/floats", ground->folders.temp.text);
    return access(plain->text, F_OK) == 0 || child_run(copy, 0);
}

static bool measure_program(const struct figure *figure, struct ground *ground, enum side side,
                            struct take *take)
{
    const struct how *how = figure->how;
    bool fast = ground->folders.fast.text[0] != '\0';
    struct path to = path_of("%s/copy", (fast ? ground->folders.fast : ground->folders.temp).text);
    struct meter meter = {0};
    struct file file;
    bool ok;

    if (!ground_weights(ground, how->cache))
        return false;
    file = file_of(ground, how, side);
    if (side == SIDE_REFERENCE && !make_floats(ground, &file.path))
        return false;
    const char *argv[] = {how->program, file.path.text,
                          strcmp(how->program, "cp") == 0 ? to.text : NULL, NULL};
    if (file.mount)
        mounts_watch(file.mount, &meter);
    meter_start(&meter);
    ok = child_run(argv, 0);
    meter_stop(&meter);
    unlink(to.text);
    take->value = meter.wall * 1e3;
    take->cpu = meter.cpu * 1e3;
    return ok;
}

/* clang-format off */
#define HOW(...) &(const struct how){__VA_ARGS__}
#define SEQUENTIAL(name, what, piece, readers, against, goal)                                      \
    {name, UNIT_GBPS, against, goal, measure,                                                      \
     HOW(what, CACHE_AUTO, MANNER_SEQUENTIAL, piece, readers, AS_IT_IS, NULL)}
#define CACHED(name, what, manner, piece, before, against, goal)                                   \
    {name, UNIT_GBPS, against, goal, measure,                                                      \
     HOW(what, CACHE_KERNEL, manner, piece, 1, before, NULL)}
#define RANDOM(name, what, cache, readers, before)                                                 \
    {name, UNIT_KOPS, GOAL_NONE, 0, measure,                                                       \
     HOW(what, cache, MANNER_RANDOM, 4 * KIB, readers, before, NULL)}
#define MAPPED(name, what, against, goal)                                                          \
    {name, UNIT_GBPS, against, goal, measure,                                                      \
     HOW(what, CACHE_AUTO, MANNER_MAPPED, 4 * KIB, 1, AS_IT_IS, NULL)}
#define PROGRAM(name, what, against, goal)                                                         \
    {"f32/Q4_K/" name, UNIT_MS, against, goal, measure_program,                                    \
     HOW(what, CACHE_AUTO, MANNER_SEQUENTIAL, 0, 1, AS_IT_IS, name)}
/* clang-format on */

const struct figure reads_figures[] = {
    SEQUENTIAL("raw/128K", RAW, 128 * KIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("raw/256K", RAW, 256 * KIB, 1, GOAL_CEILING, 0.95),
    SEQUENTIAL("raw/512K", RAW, 512 * KIB, 1, GOAL_CEILING, 0.95),
    SEQUENTIAL("raw/1M", RAW, MIB, 1, GOAL_CEILING, 0.95),
    SEQUENTIAL("raw/128K/2", RAW, 128 * KIB, 2, GOAL_NONE, 0),
    SEQUENTIAL("raw/256K/2", RAW, 256 * KIB, 2, GOAL_CEILING, 0.95),
    SEQUENTIAL("raw/1M/2", RAW, MIB, 2, GOAL_CEILING, 0.95),
    MAPPED("raw/mmap", RAW, GOAL_VALUE, 1.8),
    RANDOM("raw/4K-random", RAW, CACHE_AUTO, 1, AS_IT_IS),
    RANDOM("raw/4K-random/2", RAW, CACHE_AUTO, 2, AS_IT_IS),
    CACHED("raw/kernel/first", RAW, MANNER_SEQUENTIAL, 256 * KIB, EMPTIED, GOAL_REFERENCE, 0.30),
    CACHED("raw/kernel/again", RAW, MANNER_SEQUENTIAL, 256 * KIB, FILLED, GOAL_REFERENCE, 0.80),
    CACHED("raw/kernel/mmap-first", RAW, MANNER_MAPPED, 4 * KIB, EMPTIED, GOAL_NONE, 0),
    CACHED("raw/kernel/mmap-again", RAW, MANNER_MAPPED, 4 * KIB, FILLED, GOAL_REFERENCE, 0.80),
    RANDOM("raw/kernel/4K-random", RAW, CACHE_KERNEL, 1, FILLED),

    SEQUENTIAL("f32/Q4_0", MODEL_Q4_0, 256 * KIB, 1, GOAL_CEILING, 0.80),
    SEQUENTIAL("f32/Q4_K", MODEL_Q4_K, 256 * KIB, 1, GOAL_CEILING, 0.80),
    SEQUENTIAL("f32/Q6_K", MODEL_Q6_K, 256 * KIB, 1, GOAL_CEILING, 0.80),
    SEQUENTIAL("f32/Q8_0", MODEL_Q8_0, 256 * KIB, 1, GOAL_CEILING, 0.80),
    SEQUENTIAL("f32/IQ2_XXS", MODEL_IQ2_XXS, 256 * KIB, 1, GOAL_CEILING, 0.72),
    SEQUENTIAL("f32/F16", MODEL_F16, 256 * KIB, 1, GOAL_CEILING, 0.80),
    SEQUENTIAL("f32/BF16", MODEL_BF16, 256 * KIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("f32/F32", MODEL_F32, 256 * KIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/128K", MODEL_Q4_K, 128 * KIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/512K", MODEL_Q4_K, 512 * KIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/1M", MODEL_Q4_K, MIB, 1, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/128K/2", MODEL_Q4_K, 128 * KIB, 2, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/256K/2", MODEL_Q4_K, 256 * KIB, 2, GOAL_NONE, 0),
    SEQUENTIAL("f32/Q4_K/1M/2", MODEL_Q4_K, MIB, 2, GOAL_NONE, 0),
    MAPPED("f32/Q4_K/mmap", MODEL_Q4_K, GOAL_NONE, 0),
    RANDOM("f32/Q4_K/4K-random", MODEL_Q4_K, CACHE_AUTO, 1, AS_IT_IS),
    PROGRAM("cat", MODEL_Q4_K, GOAL_VALUE, 42),
    PROGRAM("cp", MODEL_Q4_K, GOAL_NONE, 0),
    CACHED("f32/kernel/first", MODEL_Q4_K, MANNER_SEQUENTIAL, 256 * KIB, EMPTIED, GOAL_NONE, 0),
    CACHED("f32/kernel/again", MODEL_Q4_K, MANNER_SEQUENTIAL, 256 * KIB, FILLED, GOAL_REFERENCE,
           0.80),
    CACHED("f32/kernel/mmap-first", MODEL_Q4_K, MANNER_MAPPED, 4 * KIB, EMPTIED, GOAL_NONE, 0),
    CACHED("f32/kernel/mmap-again", MODEL_Q4_K, MANNER_MAPPED, 4 * KIB, FILLED, GOAL_REFERENCE,
           0.80),
};

const size_t reads_count = sizeof reads_figures / sizeof *reads_figures;
