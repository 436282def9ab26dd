/* SPDX-License-Identifier: MIT */
/* checkkern.c - holds every kernel of every set that this CPU runs to the scalar one and to the
 * vectors, or measures them. It walks the tables by itself: a new kernel needs no line here. */
#include <config.h>

#include "checkkern.h"

#include "kernels/cpu.h"

#include <getopt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct options {
    const char *type, *set, *file, *dir;
    uint64_t seed;
    bool list, bench, tsv;
};

struct tally {
    unsigned kernels, failed, values;
};

static struct subject current;
static sigjmp_buf crashed;

static const char usage[] =
    "Usage: checkkern [--type=TYPE] [--set=SET] [--seed=N] [--file=FILE] [--vectors=DIR]\n"
    "       checkkern --list\n"
    "       checkkern --bench [--tsv] [--type=TYPE] [--set=SET]\n";

bool subject_fail(const struct subject *s, const char *format, ...)
{
    va_list args;

    printf("%s %s: %s: ", s->info->name, s->set->name, s->step);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    return false;
}

static uint32_t bits_at(const float *f)
{
    uint32_t bits;
    memcpy(&bits, f, sizeof bits);
    return bits;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

bool subject_same(const struct subject *s, const float *got, const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = bits_at(got + i), b = bits_at(want + i);
        if (a != b && !(is_nan(a) && is_nan(b)))
            return subject_fail(s, "value %zu of %zu: %08x (%g), should be %08x (%g)", i, n,
                                (unsigned)a, (double)got[i], (unsigned)b, (double)want[i]);
    }
    return true;
}

static void on_crash(int number)
{
    siglongjmp(crashed, number);
}

/* On a stack of its own, as a kernel may have lost ours. */
static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    static _Alignas(16) char stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

static bool check(struct subject *s, const struct options *options)
{
    int number = sigsetjmp(crashed, 1);

    if (number)
        return subject_fail(s, "crash: %s", strsignal(number));
    return vectors_run(s) && (!options->dir || vectors_run_full(s, options->dir)) &&
           cases_run(s, options->seed);
}

static bool can_run(const struct ggfs_kernel_set *set)
{
    return (set->needs & ~ggfs_cpu_features()) == 0;
}

static bool is_wanted(const char *wanted, const char *name)
{
    return !wanted || strcmp(wanted, name) == 0;
}

/* The subjects in turn: the sets of the first type, those of the second, … False at the end. */
static bool next_subject(struct subject *s, size_t *at, const struct options *options)
{
    size_t nsets = 0;

    while (ggfs_kernel_sets[nsets])
        nsets++;
    for (; *at < nsets * GGFS_TYPE_COUNT; ++*at) {
        enum ggfs_type type = (enum ggfs_type)(*at / nsets);
        const struct ggfs_kernel_set *set = ggfs_kernel_sets[*at % nsets];
        if (!set->fn[type] || !can_run(set) || !is_wanted(options->set, set->name) ||
            !is_wanted(options->type, ggfs_types[type].name))
            continue;
        *s = (struct subject){.type = type,
                              .info = &ggfs_types[type],
                              .set = set,
                              .fn = set->fn[type],
                              .oracle = ggfs_kernel_sets[0]->fn[type],
                              .step = "bench"};
        ++*at;
        return true;
    }
    return false;
}

static bool check_fields(const struct ggfs_type_info *info)
{
    unsigned long sum = 0;

    for (const char *p = info->fields; *p;) {
        unsigned long size = *p == 'd' ? 8 : *p == 'w' ? 4 : *p == 'h' ? 2 : 1;
        sum += size * strtoul(p + 1, (char **)&p, 10);
    }
    if (sum != info->block_bytes)
        printf("types.def: %s: fields make %lu bytes, not %u\n", info->name, sum,
               info->block_bytes);
    return sum == info->block_bytes;
}

/* What every row of the table must hold, and that scalar decodes every plain type. */
static bool check_types(void)
{
    bool good = true;

    for (int type = 0; type < GGFS_TYPE_COUNT; type++) {
        const struct ggfs_type_info *info = &ggfs_types[type];
        bool is_plain = info->plain == type;
        good = check_fields(info) && good;
        if (is_plain != (info->woven_rows == 0) ||
            is_plain != (ggfs_kernel_sets[0]->fn[type] != NULL) ||
            ggfs_types[info->plain].block_bytes != info->block_bytes) {
            printf("types.def: %s: plain type, rows and scalar kernel disagree\n", info->name);
            good = false;
        }
    }
    return good;
}

static int run_checks(const struct options *options)
{
    struct tally tally = {0};
    bool good = check_types();

    for (size_t at = 0; next_subject(&current, &at, options);) {
        tally.kernels++;
        tally.failed += !check(&current, options);
    }
    printf("checkkern: %u kernels, %u failed; sets up to %s; seed %llu\n", tally.kernels,
           tally.failed, ggfs_kernels_name(), (unsigned long long)options->seed);
    return good && tally.failed == 0 && tally.kernels > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_bench(const struct options *options)
{
    struct bench bench = {.tsv = options->tsv};
    bool good = true;

    bench_head(&bench);
    for (size_t at = 0; next_subject(&current, &at, options);)
        good = bench_run(&bench, &current) && good;
    bench_tail(&bench);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_list(void)
{
    printf("type");
    for (size_t i = 0; ggfs_kernel_sets[i]; i++)
        printf("\t%s%s", ggfs_kernel_sets[i]->name, can_run(ggfs_kernel_sets[i]) ? "" : " (no)");
    for (int type = 0; type < GGFS_TYPE_COUNT; type++) {
        printf("\n%s", ggfs_types[type].name);
        for (size_t i = 0; ggfs_kernel_sets[i]; i++)
            printf("\t%s", ggfs_kernel_sets[i]->fn[ggfs_types[type].plain] ? "yes" : "-");
    }
    printf("\n");
    return EXIT_SUCCESS;
}

static bool parse_options(struct options *options, int argc, char **argv)
{
    static const struct option longs[] = {
        {"type", required_argument, NULL, 't'},
        {"set", required_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'r'},
        {"file", required_argument, NULL, 'f'},
        {"vectors", required_argument, NULL, 'v'},
        {"list", no_argument, NULL, 'l'},
        {"bench", no_argument, NULL, 'b'},
        {"tsv", no_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };

    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        switch (c) {
        case 't':
            options->type = optarg;
            break;
        case 's':
            options->set = optarg;
            break;
        case 'r':
            options->seed = strtoull(optarg, NULL, 0);
            break;
        case 'f':
            options->file = optarg;
            break;
        case 'v':
            options->dir = *optarg ? optarg : NULL;
            break;
        case 'l':
            options->list = true;
            break;
        case 'b':
            options->bench = true;
            break;
        case 'c':
            options->tsv = true;
            break;
        default:
            return false;
        }
    return optind == argc;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32};

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!parse_options(&options, argc, argv) || !ggfs_kernels_init(NULL)) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.list)
        return run_list();
    if (options.bench)
        return run_bench(&options);
    if (options.file && !vectors_load(options.file))
        return EXIT_FAILURE;
    catch_crashes();
    int status = run_checks(&options);
    vectors_free();
    return status;
}
