/* SPDX-License-Identifier: MIT */
/* results.c - medians, best and noise; the table. */
#include <config.h>

#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* From here on the machine counts as noisy: share of its time that others took, and the noise of
 * the references, which have no reason to vary. */
#define NOISY_SHARE 0.10
#define NOISY_SPREAD 0.10

static const struct {
    const char *name;
    bool rising;
} units[] = {
    [UNIT_GBPS] = {"GB/s", true}, [UNIT_KOPS] = {"k/s", true}, [UNIT_S] = {"s", false},
    [UNIT_MS] = {"ms", false},    [UNIT_US] = {"us", false},   [UNIT_MIB] = {"MiB", false},
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double at_rank(const double *sorted, unsigned n, double rank)
{
    double place = rank * (n - 1);
    unsigned below = (unsigned)place;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

/* Sorts the n values. */
static struct spread spread_of(double *values, unsigned n, bool rising)
{
    struct spread spread = {NAN, NAN, NAN};

    if (n == 0)
        return spread;
    qsort(values, n, sizeof *values, ascending);
    spread.median = at_rank(values, n, 0.5);
    spread.best = rising ? values[n - 1] : values[0];
    spread.noise = (at_rank(values, n, 0.75) - at_rank(values, n, 0.25)) / spread.median;
    return spread;
}

struct spread results_values(const struct result *result, enum side side)
{
    double values[RESULTS_ROUNDS];
    unsigned n = 0;

    for (unsigned i = 0; i < result->rounds; i++)
        if (!isnan(result->takes[i][side].value))
            values[n++] = result->takes[i][side].value;
    return spread_of(values, n, units[result->figure->unit].rising);
}

struct spread results_ratios(const struct result *result, enum side side)
{
    double ratios[RESULTS_ROUNDS];
    struct spread spread;
    unsigned n = 0;

    for (unsigned i = 0; i < result->rounds; i++) {
        double ratio = result->takes[i][SIDE_SUBJECT].value / result->takes[i][side].value;
        if (!isnan(ratio))
            ratios[n++] = ratio;
    }
    spread = spread_of(ratios, n, units[result->figure->unit].rising);
    spread.best = results_values(result, SIDE_SUBJECT).best / results_values(result, side).best;
    return spread;
}

double results_cpu(const struct result *result, enum side side)
{
    double least = NAN;

    for (unsigned i = 0; i < result->rounds; i++)
        least = fmin(least, result->takes[i][side].cpu);
    return least;
}

/* The number that the goal is about. */
static double reached(const struct result *result)
{
    switch (result->figure->against) {
    case GOAL_REFERENCE:
        return results_ratios(result, SIDE_REFERENCE).best;
    case GOAL_CEILING:
        return results_ratios(result, SIDE_CEILING).best;
    case GOAL_VALUE:
        return results_values(result, SIDE_SUBJECT).best;
    case GOAL_NONE:
        break;
    }
    return NAN;
}

static const char *verdict(const struct result *result)
{
    double best = reached(result), goal = result->figure->goal;

    if (isnan(best))
        return "";
    return (units[result->figure->unit].rising ? best >= goal : best <= goal) ? "yes" : "NO";
}

/* Three digits that count, blanks where there is nothing. */
static void print_number(double x, int width)
{
    double size = fabs(x);

    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f", width, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3, x);
}

static void print_goal(const struct figure *figure)
{
    static const char *const of[] = {"", "ref", "ceil", ""};
    char goal[32];

    if (figure->against == GOAL_NONE)
        snprintf(goal, sizeof goal, "-");
    else if (figure->against == GOAL_VALUE)
        snprintf(goal, sizeof goal, "%g %s", figure->goal, units[figure->unit].name);
    else
        snprintf(goal, sizeof goal, "%g %s", figure->goal, of[figure->against]);
    printf("%10s ", goal);
}

static void print_row(const struct result *result)
{
    struct spread value = results_values(result, SIDE_SUBJECT);
    struct spread reference = results_ratios(result, SIDE_REFERENCE);
    struct spread ceiling = results_ratios(result, SIDE_CEILING);

    printf("%-22s%-4s", result->figure->name, units[result->figure->unit].name);
    print_number(value.median, 7);
    print_number(value.best, 7);
    printf("%5.0f%% |", 100 * value.noise);
    print_number(results_values(result, SIDE_REFERENCE).median, 7);
    print_number(reference.median, 6);
    print_number(reference.best, 6);
    printf(" |");
    print_number(results_values(result, SIDE_CEILING).median, 7);
    print_number(ceiling.median, 6);
    print_number(ceiling.best, 6);
    printf(" |");
    print_number(results_cpu(result, SIDE_SUBJECT), 7);
    print_number(results_cpu(result, SIDE_CEILING), 7);
    printf(" |");
    print_goal(result->figure);
    puts(verdict(result));
}

static void print_table(const struct result *results, size_t n)
{
    printf("%-26s        ggfs         |     reference     |      ceiling      |      cpu     |\n",
           "");
    printf("%-26s median   best noise | median  mid  best | median  mid  best |   ggfs  ceil |"
           "   goal\n",
           "figure");
    for (size_t i = 0; i < n; i++)
        print_row(&results[i]);
}

static void print_field(double x)
{
    if (isnan(x))
        putchar('\t');
    else
        printf("\t%.4g", x);
}

static void print_line(const struct result *result)
{
    static const enum side others[] = {SIDE_REFERENCE, SIDE_CEILING};
    struct spread value = results_values(result, SIDE_SUBJECT);

    printf("%s\t%s", result->figure->name, units[result->figure->unit].name);
    print_field(value.median);
    print_field(value.best);
    print_field(value.noise);
    for (int i = 0; i < 2; i++) {
        struct spread ratio = results_ratios(result, others[i]);
        print_field(results_values(result, others[i]).median);
        print_field(ratio.median);
        print_field(ratio.best);
    }
    print_field(results_cpu(result, SIDE_SUBJECT));
    print_field(results_cpu(result, SIDE_CEILING));
    printf("\t%u\t%s\n", result->rounds, verdict(result));
}

void results_print(const struct result *results, size_t n, bool tsv)
{
    if (!tsv) {
        print_table(results, n);
        return;
    }
    printf("#figure\tunit\tmedian\tbest\tnoise\treference\tratio\tratio_best\tceiling\t"
           "ceiling_ratio\tceiling_ratio_best\tcpu\tceiling_cpu\trounds\treached\n");
    for (size_t i = 0; i < n; i++)
        print_line(&results[i]);
}

static double reference_noise(const struct result *results, size_t n)
{
    double *noises = calloc(n + 1, sizeof *noises), median;
    unsigned found = 0;

    for (size_t i = 0; noises && i < n; i++) {
        double noise = results_values(&results[i], SIDE_REFERENCE).noise;
        if (!isnan(noise) && results[i].figure->unit != UNIT_MIB)
            noises[found++] = noise;
    }
    median = noises ? spread_of(noises, found, false).median : NAN;
    free(noises);
    return isnan(median) ? 0 : median;
}

void results_print_machine(const struct result *results, size_t n, const struct machine *machine,
                           bool ahead)
{
    double all = machine->wall * (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = fmax(machine->busy - machine->ours, 0) / all, stolen = machine->stolen / all;
    double noise = reference_noise(results, n);
    bool noisy = (ahead ? 0 : others) + stolen > NOISY_SHARE || noise > NOISY_SPREAD;

    printf(
        "# %.0f s, %s%s: others took %.0f%% of the processors, the host %.0f%%; load %.2f before; "
        "references varied by %.0f%%\n",
        machine->wall, noisy ? "NOISY machine" : "quiet machine",
        ahead ? ", the bench ahead of all others" : "", 100 * others, 100 * stolen, machine->load,
        100 * noise);
}
