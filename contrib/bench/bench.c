/* SPDX-License-Identifier: MIT */
/* bench.c - ggfs measured in rounds, each figure beside its reference and the ceiling. */
#include <config.h>

#include "child.h"
#include "figure.h"
#include "ground.h"
#include "guard.h"
#include "meter.h"
#include "results.h"
#include "say.h"

#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MIB = 1024, DEFAULT_ROUNDS = 5, LEAST_MIB = 64, MOST_MIB = 1 << 20 };

/* Rounds that would end later than this are left out, unless their number was asked for. */
#define BUDGET_SECONDS 280.0

struct options {
    const char *ggfs, *ceiling, *only;
    uint64_t mib;
    unsigned rounds;         /* 0: as many of the default as fit the budget */
    int tsv, list, realtime; /* switches */
};

struct bench {
    const struct options *options;
    struct ground ground;
    struct result *results;
    size_t n;
    double started;
};

static void usage(FILE *out)
{
    fputs("usage: bench [--only PATTERN] [--rounds N] [--tsv] [--realtime] [--list]\n"
          "             [--mib N] [--ggfs PROGRAM] [--ceiling PROGRAM]\n"
          "PATTERN is a part of a figure's name, or a shell pattern for the whole name.\n"
          "--realtime (root) runs readers and servers ahead of everything else on the machine.\n"
          "BENCH_MIB in the environment is the size of the model, 1024 without.\n",
          out);
}

static bool take_option(struct options *o, int letter, const char **mib)
{
    switch (letter) {
    case 0:
        break;
    case 'o':
        o->only = optarg;
        break;
    case 'r':
        o->rounds = (unsigned)strtoul(optarg, NULL, 10);
        break;
    case 'm':
        *mib = optarg;
        break;
    case 'g':
        o->ggfs = optarg;
        break;
    case 'c':
        o->ceiling = optarg;
        break;
    default:
        return false;
    }
    return true;
}

static bool parse(struct options *o, int argc, char **argv)
{
    const struct option rows[] = {
        {"only", required_argument, NULL, 'o'},
        {"rounds", required_argument, NULL, 'r'},
        {"mib", required_argument, NULL, 'm'},
        {"ggfs", required_argument, NULL, 'g'},
        {"tsv", no_argument, &o->tsv, 1},
        {"ceiling", required_argument, NULL, 'c'},
        {"list", no_argument, &o->list, 1},
        {"realtime", no_argument, &o->realtime, 1},
        {NULL, 0, NULL, 0},
    };
    const char *mib = getenv("BENCH_MIB");
    int letter;

    *o = (struct options){.ggfs = "./ggfs", .ceiling = "contrib/bench/ceiling"};
    while ((letter = getopt_long(argc, argv, "", rows, NULL)) != -1)
        if (!take_option(o, letter, &mib))
            return false;
    o->mib = mib && *mib ? strtoull(mib, NULL, 10) : DEFAULT_MIB;
    return optind == argc && o->mib >= LEAST_MIB && o->mib <= MOST_MIB &&
           o->rounds <= RESULTS_ROUNDS;
}

static bool wanted(const char *name, const char *only)
{
    return !only || strstr(name, only) || fnmatch(only, name, 0) == 0;
}

static bool choose(struct bench *b)
{
    const struct {
        const struct figure *figures;
        size_t n;
    } tables[] = {
        {reads_figures, reads_count}, {names_figures, names_count}, {life_figures, life_count}};

    b->results = calloc(reads_count + names_count + life_count, sizeof *b->results);
    if (!b->results)
        return say("no memory");
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t].n; i++)
            if (wanted(tables[t].figures[i].name, b->options->only))
                b->results[b->n++].figure = &tables[t].figures[i];
    return b->n > 0 || say("no figure is called like that; see --list");
}

/* The line that is being written over, where there is a terminal; name NULL removes it. */
static void progress(unsigned round, const char *name)
{
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (name)
        fprintf(stderr, "round %u: %s ...", round + 1, name);
}

/* Who comes first changes from round to round. */
static bool measure(struct bench *b, struct result *result, unsigned round)
{
    struct take *takes = result->takes[round];

    for (unsigned i = 0; i < SIDES; i++) {
        enum side side = (enum side)((round + i) % SIDES);
        takes[side] = (struct take){NAN, NAN};
        if (!result->figure->measure(result->figure, &b->ground, side, &takes[side]))
            return say("%s cannot be measured", result->figure->name);
    }
    result->rounds++;
    return true;
}

static bool run_round(struct bench *b, unsigned round)
{
    for (size_t i = 0; i < b->n; i++) {
        progress(round, b->results[i].figure->name);
        if (!measure(b, &b->results[i], round))
            return false;
    }
    return true;
}

/* The first round makes models and folders too, so that the second tells how long one takes. */
static bool run_rounds(struct bench *b)
{
    unsigned most = b->options->rounds ? b->options->rounds : DEFAULT_ROUNDS;
    double took = 0;

    for (unsigned i = 0; i < most; i++) {
        double begun = meter_now();
        if (!b->options->rounds && begun - b->started + took > BUDGET_SECONDS) {
            fprintf(stderr, "bench: after %u rounds there is no time for more\n", i);
            break;
        }
        if (!run_round(b, i))
            return false;
        took = meter_now() - begun;
    }
    progress(0, NULL);
    return true;
}

/* Programs that are started from now on inherit it. */
static bool go_ahead(void)
{
    struct sched_param first = {.sched_priority = 1};

    return sched_setscheduler(0, SCHED_RR, &first) == 0 || say_errno("--realtime");
}

static bool run(struct bench *b)
{
    struct machine machine;
    bool ok;

    machine_start(&machine);
    b->started = meter_now();
    ok = (!b->options->realtime || go_ahead()) && run_rounds(b);
    ground_end(&b->ground);
    machine_stop(&machine);
    if (!ok)
        return false;
    results_print(b->results, b->n, b->options->tsv);
    if (b->options->tsv)
        fflush(stdout);
    results_print_machine(b->results, b->n, &machine, b->options->realtime);
    return true;
}

static int list(const struct bench *b)
{
    for (size_t i = 0; i < b->n; i++)
        puts(b->results[i].figure->name);
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct bench b = {.options = &options};
    bool ok;

    if (!parse(&options, argc, argv)) {
        usage(stderr);
        return 1;
    }
    if (!choose(&b))
        return 1;
    if (options.list)
        return list(&b);
    b.ground =
        (struct ground){.ggfs = options.ggfs, .ceiling = options.ceiling, .mib = options.mib};
    if (!guard_start(&b.ground.folders))
        return 2;
    ok = run(&b);
    free(b.results);
    return ok ? 0 : 2;
}
