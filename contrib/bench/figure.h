/* SPDX-License-Identifier: MIT */
/* figure.h - one line of the bench: what is measured, beside what, and what came of it. */
#ifndef GGFS_BENCH_FIGURE_H
#define GGFS_BENCH_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

struct ground;

enum unit { UNIT_GBPS, UNIT_KOPS, UNIT_S, UNIT_MS, UNIT_US, UNIT_MIB };

/* The three that each round measures one after the other. */
enum side {
    SIDE_SUBJECT,   /* ggfs */
    SIDE_REFERENCE, /* the same without FUSE: plain file, tmpfs; for memory the limit */
    SIDE_CEILING,   /* the same from a FUSE server that only replies */
    SIDES,
};

/* What has to be reached, and by what. */
enum against { GOAL_NONE, GOAL_REFERENCE, GOAL_CEILING, GOAL_VALUE };

struct take {
    double value; /* in the figure's unit; NAN where this side does not exist */
    double cpu;   /* of readers and daemons: seconds a GiB for GB/s, microseconds an operation for
                   * k/s, else in the figure's unit; NAN where it says nothing */
};

struct figure {
    const char *name;
    enum unit unit;
    enum against against;
    double goal;
    /* False, with a sentence on stderr, where the bench cannot go on. */
    bool (*measure)(const struct figure *figure, struct ground *ground, enum side side,
                    struct take *take);
    const void *how; /* for measure */
};

/* Tables, each behind its count. */
extern const struct figure reads_figures[];
extern const size_t reads_count;
extern const struct figure names_figures[];
extern const size_t names_count;
extern const struct figure life_figures[];
extern const size_t life_count;

#endif
