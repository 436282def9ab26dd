/* SPDX-License-Identifier: MIT */
/* checkkern.h - what the parts of checkkern share: one kernel under test and how it is judged. */
#ifndef GGFS_CHECKKERN_H
#define GGFS_CHECKKERN_H

#include "kernels/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set's function for a type, beside the scalar one that it must equal. */
struct subject {
    enum ggfs_type type;
    const struct ggfs_type_info *info;
    const struct ggfs_kernel_set *set;
    ggfs_kernel_fn fn;
    ggfs_kernel_fn oracle;
    const char *step; /* what is being tried, for the report of a crash */
};

/* Prints `type set: step: …` and returns false. */
bool subject_fail(const struct subject *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* All bits equal, any NaN equal to any NaN. Reports the first difference. */
bool subject_same(const struct subject *s, const float *got, const float *want, size_t n);

/* Random bytes, guarded buffers; cases.c. */
bool cases_run(struct subject *s, uint64_t seed);

/* The small set in the tree; a row or a line that does not fit is a failure. vectors.c */
bool vectors_load(const char *file);
bool vectors_run(struct subject *s);
void vectors_free(void);

/* NAME.blocks and NAME.f32 in dir. */
bool vectors_run_full(struct subject *s, const char *dir);

/* Of the best ratios of types of blocks, for a geometric mean. */
struct bench_mean {
    double log_sum[3];
    unsigned types;
};

/* The bench of the subject, a line a size as it is measured; bench.c */
struct bench {
    bool tsv;
    struct bench_mean means[2]; /* GGUF's types, the layouts from before GGUF */
    double best[3];
    enum ggfs_type type;
};

void bench_head(const struct bench *bench);
bool bench_run(struct bench *bench, const struct subject *s);
void bench_tail(struct bench *bench);

/* splitmix64 */
uint64_t random_next(uint64_t *state);
void random_fill(uint64_t *state, uint8_t *dst, size_t n);

/* What the fields of a block are made of, beside random bytes. */
enum scales { SCALES_RANDOM, SCALES_SPECIAL, SCALES_PLAIN };

void blocks_fill(const struct ggfs_type_info *info, uint64_t *state, enum scales scales,
                 uint8_t *dst, size_t nblocks);

#endif
