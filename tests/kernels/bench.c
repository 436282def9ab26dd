/* SPDX-License-Identifier: MIT */
/* bench.c - how fast a kernel fills memory, beside memset. */
#include <config.h>

#include "checkkern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* A buffer of the second-level cache, the usual read of FUSE, and memory. */
static const size_t sizes[3] = {256 << 10, 1 << 20, 256 << 20};

enum { SAMPLES = 15, SAMPLES_LARGE = 3, SAMPLE_BYTES = 32 << 20, TILE_BLOCKS = 512 };

/* Thread CPU time: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct run {
    ggfs_kernel_fn fn; /* NULL: memset */
    float *dst;
    const uint8_t *src;
    size_t nblocks, bytes, repeats;
};

static double time_run(const struct run *run)
{
    double start = seconds();

    for (size_t i = 0; i < run->repeats; i++) {
        if (run->fn)
            run->fn(run->dst, run->src, run->nblocks);
        else
            memset(run->dst, (int)i, run->bytes);
        __asm__ volatile("" : : "r"(run->dst) : "memory");
    }
    return (seconds() - start) / (double)run->repeats;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

/* Fills memory for n bytes with copies of a few random blocks. */
static uint8_t *make_source(const struct ggfs_type_info *info, size_t n)
{
    uint64_t state = 1;
    size_t tile = TILE_BLOCKS * (size_t)info->block_bytes;
    void *memory = NULL;

    /* A source that begins with a cache line, as a read buffer does. */
    if (posix_memalign(&memory, 4096, n > tile ? n : tile) != 0)
        return NULL;
    uint8_t *src = memory;
    blocks_fill(info, &state, SCALES_PLAIN, src, TILE_BLOCKS);
    for (size_t done = tile; done < n; done += tile)
        memcpy(src + done, src, n - done < tile ? n - done : tile);
    return src;
}

/* Medians of GB/s and of memset's time divided by the kernel's. */
static void measure(struct run *run, int samples, double *gbps, double *ratio)
{
    struct run fill = *run;
    double rates[SAMPLES], ratios[SAMPLES];

    fill.fn = NULL;
    time_run(&fill);
    time_run(run);
    for (int i = 0; i < samples; i++) {
        double reference = time_run(&fill), kernel = time_run(run);
        rates[i] = (double)run->bytes / kernel * 1e-9;
        ratios[i] = reference / kernel;
    }
    *gbps = median(rates, samples);
    *ratio = median(ratios, samples);
}

static bool measure_size(const struct subject *s, size_t bytes, double *gbps, double *ratio)
{
    size_t nblocks = bytes / sizeof(float) / s->info->block_values;
    uint8_t *src = make_source(s->info, nblocks * s->info->block_bytes);
    void *dst = NULL;

    if (!src || posix_memalign(&dst, 4096, bytes) != 0) {
        free(src);
        return subject_fail(s, "out of memory");
    }
    size_t repeats = bytes < SAMPLE_BYTES ? SAMPLE_BYTES / bytes : 1;
    struct run run = {s->fn, dst, src, nblocks, bytes, repeats};
    measure(&run, repeats > 1 ? SAMPLES : SAMPLES_LARGE, gbps, ratio);
    free(src);
    free(dst);
    return true;
}

void bench_head(const struct bench *bench)
{
    if (!bench->tsv)
        printf("%-10s %-11s %15s %15s %15s\n", "type", "set", "256 KiB", "1 MiB", "256 MiB");
    else
        printf("type\tset\tbytes\tgbps\tratio\n");
}

/* Counts the type that was measured last: its best set at each size. */
static void close_type(struct bench *bench)
{
    struct bench_mean *mean = &bench->means[bench->type >= GGFS_TYPE_Q4_0_V1];

    if (bench->best[0] > 0 && ggfs_types[bench->type].block_values > 1) {
        for (int i = 0; i < 3; i++)
            mean->log_sum[i] += log(bench->best[i]);
        mean->types++;
    }
    memset(bench->best, 0, sizeof bench->best);
}

bool bench_run(struct bench *bench, const struct subject *s)
{
    if (bench->type != s->type)
        close_type(bench);
    bench->type = s->type;
    if (!bench->tsv)
        printf("%-10s %-11s", s->info->name, s->set->name);
    for (int i = 0; i < 3; i++) {
        double gbps = 0, ratio = 0;
        if (!measure_size(s, sizes[i], &gbps, &ratio))
            return false;
        bench->best[i] = fmax(bench->best[i], ratio);
        if (bench->tsv)
            printf("%s\t%s\t%zu\t%.2f\t%.3f\n", s->info->name, s->set->name, sizes[i], gbps, ratio);
        else
            printf("  %6.1f (%.2f)", gbps, ratio);
        fflush(stdout);
    }
    if (!bench->tsv)
        printf("\n");
    return true;
}

static void print_mean(const char *name, const struct bench_mean *mean)
{
    if (mean->types == 0)
        return;
    printf("%-19s %2u", name, mean->types);
    for (int i = 0; i < 3; i++)
        printf("         (%.2f)%s", exp(mean->log_sum[i] / mean->types), i < 2 ? " " : "\n");
}

void bench_tail(struct bench *bench)
{
    close_type(bench);
    if (bench->tsv || bench->means[0].types + bench->means[1].types == 0)
        return;
    printf("Geometric means of the best sets:\n");
    print_mean("GGUF's block types", &bench->means[0]);
    print_mean("before GGUF", &bench->means[1]);
    printf("GB/s of float32 written (ratio to memset)\n");
}
