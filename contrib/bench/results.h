/* SPDX-License-Identifier: MIT */
/* results.h - what the rounds gave for each figure, and how it is shown. */
#ifndef GGFS_BENCH_RESULTS_H
#define GGFS_BENCH_RESULTS_H

#include "figure.h"
#include "meter.h"

#include <stdbool.h>

enum { RESULTS_ROUNDS = 64 };

struct result {
    const struct figure *figure;
    struct take takes[RESULTS_ROUNDS][SIDES];
    unsigned rounds;
};

/* The middle, the best and the distance between the quartiles, that divided by the middle; NAN
 * where there is nothing. */
struct spread {
    double median, best, noise;
};

/* Of one side's values; of the subject's values by those of another side in the same round, but for
 * the best, which is best by best: a hiccup of the other side makes no record. One side's least
 * cpu. */
struct spread results_values(const struct result *result, enum side side);
struct spread results_ratios(const struct result *result, enum side side);
double results_cpu(const struct result *result, enum side side);

/* A table for people, or a line a figure for programs. */
void results_print(const struct result *results, size_t n, bool tsv);

/* What else the machine did meanwhile, and whether that makes the figures doubtful: what others
 * took does not where the bench ran ahead of them. */
void results_print_machine(const struct result *results, size_t n, const struct machine *machine,
                           bool ahead);

#endif
