/* SPDX-License-Identifier: MIT */
/* names.c - the figures about files: listings, attributes, many small files; beside tmpfs. */
#include <config.h>

#include "figure.h"

#include "child.h"
#include "ground.h"
#include "meter.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Words of a command; files that are asked for one by one. */
enum { WORDS = 4, PICKED = 20000 };

/* Stand for the folders in a command. */
#define FOLDER "%1"
#define TWIN "%2"

struct how {
    const char *words[WORDS]; /* of a command; or: */
    bool (*visit)(int folder, const char *name);
    bool few;   /* the small folder */
    bool twice; /* that folder and its twin */
    bool again; /* once unmeasured before */
    int most;   /* status of the command that is still good */
};

/* The folders of one side and what serves them. */
struct place {
    struct path folder[2];
    struct mount mount[2];
    uint64_t files;
};

static bool visit_stat(int folder, const char *name)
{
    struct stat st;

    return fstatat(folder, name, &st, 0) == 0;
}

static bool visit_read(int folder, const char *name)
{
    char bytes[4096];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && read(fd, bytes, sizeof bytes) > 0;

    if (fd >= 0)
        close(fd);
    return ok;
}

/* PICKED different files, spread over the folder. */
static bool visit_picked(const struct how *how, const struct place *place)
{
    enum { STRIDE = 104729 }; /* a prime */
    int folder = open(place->folder[0].text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = folder >= 0;
    char name[24];

    for (uint64_t i = 0; ok && i < PICKED; i++) {
        snprintf(name, sizeof name, "%" PRIu64, i * STRIDE % place->files);
        ok = how->visit(folder, name);
    }
    if (!ok)
        say_errno(place->folder[0].text);
    if (folder >= 0)
        close(folder);
    return ok;
}

static bool run_command(const struct how *how, const struct place *place)
{
    const char *argv[WORDS + 1] = {NULL};

    for (size_t i = 0; i < WORDS && how->words[i]; i++) {
        argv[i] = how->words[i];
        if (strcmp(argv[i], FOLDER) == 0)
            argv[i] = place->folder[0].text;
        else if (strcmp(argv[i], TWIN) == 0)
            argv[i] = place->folder[1].text;
    }
    return child_run(argv, how->most);
}

static bool run(const struct how *how, const struct place *place)
{
    return how->visit ? visit_picked(how, place) : run_command(how, place);
}

static bool enter_ceiling(struct ground *ground, struct place *place)
{
    if (!ground_mount_ceiling(ground, CACHE_AUTO, &place->mount[0]))
        return false;
    place->folder[0] = place->mount[0].at;
    return true;
}

/* A fresh mount: nothing that the kernel kept of an earlier one. */
static bool enter_ggfs(struct ground *ground, const struct how *how, struct place *place)
{
    for (int i = 0; i <= how->twice; i++) {
        if (!ground_mount(ground, how->few ? &ground->few : &ground->many, &place->mount[i]))
            return false;
        place->folder[i] = path_of("%s/vocab/tokens", place->mount[i].at.text);
    }
    return true;
}

static bool enter(struct ground *ground, const struct how *how, enum side side, struct place *place)
{
    if (side == SIDE_CEILING)
        return enter_ceiling(ground, place);
    if (side == SIDE_SUBJECT)
        return enter_ggfs(ground, how, place);
    place->folder[0] = how->few ? ground->few_names[0] : ground->many_names;
    place->folder[1] = ground->few_names[1];
    return true;
}

static void leave(struct place *place)
{
    for (int i = 0; i < 2; i++)
        mounts_end(&place->mount[i]);
}

static bool time_run(const struct figure *figure, const struct place *place, struct take *take)
{
    const struct how *how = figure->how;
    struct meter meter = {0};
    double scale = figure->unit == UNIT_US ? 1e6 / PICKED : 1;
    bool ok = !how->again || run(how, place);

    mounts_watch(&place->mount[0], &meter);
    mounts_watch(&place->mount[1], &meter);
    meter_start(&meter);
    ok = ok && run(how, place);
    meter_stop(&meter);
    take->value = meter.wall * scale;
    take->cpu = meter.cpu * scale;
    return ok;
}

/* The ceiling has no lists. */
static bool exists(const struct ground *ground, const struct how *how, enum side side)
{
    return side == SIDE_SUBJECT || (side == SIDE_CEILING && how->visit) ||
           (side == SIDE_REFERENCE && ground->folders.fast.text[0]);
}

static bool measure(const struct figure *figure, struct ground *ground, enum side side,
                    struct take *take)
{
    const struct how *how = figure->how;
    struct place place = {.files = how->few ? GROUND_FEW : GROUND_MANY};
    bool ok;

    if (!exists(ground, how, side))
        return true;
    if (!ground_words(ground) || !ground_names(ground))
        return false;
    ok = enter(ground, how, side, &place) && time_run(figure, &place, take);
    leave(&place);
    return ok;
}

/* Occurs in no token. Without it grep, whose output is thrown away, would stop at once. */
#define NOWHERE "\001"

/* clang-format off */
#define HOW(...) &(const struct how){__VA_ARGS__}
#define TIMED(name, unit, goal, ...)                                                               \
    {name, unit, (goal) > 0 ? GOAL_REFERENCE : GOAL_NONE, goal, measure, HOW(__VA_ARGS__)}
#define SERVED(name, unit, goal, ...) {name, unit, GOAL_CEILING, goal, measure, HOW(__VA_ARGS__)}
/* clang-format on */

const struct figure names_figures[] = {
    TIMED("names/ls-f", UNIT_S, 1.0, .words = {"ls", "-f", FOLDER}),
    TIMED("names/ls-lU/first", UNIT_S, 1.6, .words = {"ls", "-lU", FOLDER}),
    TIMED("names/ls-lU/again", UNIT_S, 1.1, .words = {"ls", "-lU", FOLDER}, .again = true),
    TIMED("names/find", UNIT_S, 1.2, .words = {"find", FOLDER, "-type", "f"}),
    SERVED("names/stat/first", UNIT_US, 1.1, .visit = visit_stat),
    TIMED("names/stat/again", UNIT_US, 1.2, .visit = visit_stat, .again = true),
    SERVED("names/read/first", UNIT_US, 1.1, .visit = visit_read),
    SERVED("names/read/again", UNIT_US, 1.1, .visit = visit_read, .again = true),
    TIMED("names/grep-r/first", UNIT_S, 0, .words = {"grep", "-r", NOWHERE, FOLDER}, .few = true,
          .most = 1),
    TIMED("names/grep-r/again", UNIT_S, 0, .words = {"grep", "-r", NOWHERE, FOLDER}, .few = true,
          .most = 1, .again = true),
    TIMED("names/diff-rq", UNIT_S, 0, .words = {"diff", "-rq", FOLDER, TWIN}, .few = true,
          .twice = true),
};

const size_t names_count = sizeof names_figures / sizeof *names_figures;
