/* SPDX-License-Identifier: MIT */
/* deep.c - checks of the values themselves: every tensor decoded once, piece by piece. */
#include <config.h>

#include "base/mem.h"
#include "base/num.h"
#include "check/report.h"
#include "check/rows.h"
#include "decode/decode.h"
#include "model/joined.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Values that are decoded at a time: they stay in the second-level cache beside the scratch. */
#define PIECE 16384

/* Types that store single values have no blocks: so many are looked at together. */
#define SPAN 256

/* Bits of a float without its sign. */
#define MAGNITUDE 0x7fffffff
#define INFINITE 0x7f800000

/* Lanes in which magnitudes are compared; every span of 32 values or more is a multiple. */
#define LANES 16

struct deep {
    const struct ggfs_report *report;
    struct ggfs_scratch scratch;
    float *values; /* PIECE of them */
    bool decoded;  /* some values of some tensor */
};

/* What one tensor holds. */
struct tally {
    uint64_t nan, inf, first_odd;
    uint64_t spans, zeros, first_zero;
};

/* As signed numbers, which the baseline of x86 can compare; they are positive. */
static int32_t magnitude(const float *value)
{
    int32_t bits;

    memcpy(&bits, value, sizeof bits);
    return bits & MAGNITUDE;
}

static int32_t greatest(const float *values, size_t n)
{
    int32_t lane[LANES] = {0}, most = 0;
    size_t i = 0;

    for (; n - i >= LANES; i += LANES)
        for (size_t j = 0; j < LANES; j++) {
            int32_t m = magnitude(values + i + j);
            lane[j] = m > lane[j] ? m : lane[j];
        }
    for (size_t j = 0; j < LANES; j++)
        most = lane[j] > most ? lane[j] : most;
    for (; i < n; i++)
        most = magnitude(values + i) > most ? magnitude(values + i) : most;
    return most;
}

/* at: number of the first value in the tensor. */
static void count_odd(struct tally *tally, const float *values, size_t n, uint64_t at)
{
    for (size_t i = 0; i < n; i++) {
        int32_t m = magnitude(values + i);
        if (m < INFINITE)
            continue;
        if (tally->nan + tally->inf == 0)
            tally->first_odd = at + i;
        if (m == INFINITE)
            tally->inf++;
        else
            tally->nan++;
    }
}

static void count_span(struct tally *tally, const float *values, size_t n, uint64_t at)
{
    int32_t most = greatest(values, n);

    tally->spans++;
    if (most >= INFINITE)
        count_odd(tally, values, n, at);
    if (most == 0 && tally->zeros++ == 0)
        tally->first_zero = at;
}

static size_t span_of(const struct ggfs_tensor *tensor)
{
    size_t values = ggfs_types[tensor->type].block_values;

    return values > 1 ? values : SPAN;
}

static void count_piece(struct tally *tally, const float *values, size_t n, uint64_t at,
                        size_t span)
{
    for (size_t i = 0; i < n; i += span)
        count_span(tally, values + i, n - i < span ? n - i : span, at + i);
}

static void tell_odd(const struct ggfs_report *report, uint32_t index, const struct tally *tally)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];

    if (tally->nan + tally->inf)
        ggfs_report_place(report, index, "data",
                          ggfs_decode_place(report->model, tensor, tally->first_odd),
                          GGFS_LEVEL_WARNING,
                          "%" PRIu64 " NaN and %" PRIu64 " infinite values of %" PRIu64
                          ", the first of them is value %" PRIu64,
                          tally->nan, tally->inf, tensor->values, tally->first_odd);
}

static void tell_zeros(const struct ggfs_report *report, uint32_t index, const struct tally *tally)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];
    uint64_t place;

    if (tally->zeros == 0)
        return;
    place = ggfs_decode_place(report->model, tensor, tally->first_zero);
    if (tally->zeros == tally->spans)
        ggfs_report_place(report, index, "data", place, GGFS_LEVEL_NOTE,
                          "all %" PRIu64 " values are zero", tensor->values);
    else
        ggfs_report_place(report, index, "data", place, GGFS_LEVEL_NOTE,
                          "%" PRIu64 " of %" PRIu64 " blocks of %zu values hold zeros only, the "
                          "first of them begins at value %" PRIu64,
                          tally->zeros, tally->spans, span_of(tensor), tally->first_zero);
}

/* A read that failed is a finding and ends with its tensor; any other failure ends the check. */
static bool tell_unread(const struct ggfs_report *report, uint32_t index, struct ggfs_err *failed,
                        struct ggfs_err *err)
{
    uint32_t source = report->model->tensors[index].source;

    if (failed->kind != GGFS_ERR_IO) {
        *err = *failed;
        return false;
    }
    ggfs_report_file(report, source, failed->offset, GGFS_LEVEL_ERROR,
                     "tensor[%" PRIu32 "].data: %s", index, failed->text);
    return true;
}

static bool decode(struct deep *deep, uint32_t index, struct ggfs_err *err)
{
    const struct ggfs_model *model = deep->report->model;
    const struct ggfs_tensor *tensor = &model->tensors[index];
    struct tally tally = {0};
    struct ggfs_err failed;
    size_t got;

    ggfs_err_init(&failed, NULL);
    for (uint64_t at = 0; at < tensor->values; at += got / sizeof(float)) {
        size_t n = (size_t)ggfs_num_min(tensor->values - at, PIECE) * sizeof(float);
        if (!ggfs_decode_f32(model, tensor, at * sizeof(float), deep->values, n, &got,
                             &deep->scratch, &failed))
            return tell_unread(deep->report, index, &failed, err);
        count_piece(&tally, deep->values, got / sizeof(float), at, span_of(tensor));
        deep->decoded = true;
    }
    tell_odd(deep->report, index, &tally);
    tell_zeros(deep->report, index, &tally);
    return true;
}

/* What cannot be decoded is read all the same, as far as there is something. */
static bool read_only(struct deep *deep, uint32_t index, struct ggfs_err *err)
{
    const struct ggfs_model *model = deep->report->model;
    const struct ggfs_tensor *tensor = &model->tensors[index];
    uint64_t bytes = ggfs_tensor_present(model, tensor);
    struct ggfs_err failed;
    size_t got;

    ggfs_err_init(&failed, NULL);
    for (uint64_t at = 0; at < bytes; at += got) {
        size_t n = (size_t)ggfs_num_min(bytes - at, PIECE * sizeof(float));
        if (!ggfs_tensor_read(model, tensor, at, deep->values, n, &got, &failed))
            return tell_unread(deep->report, index, &failed, err);
        if (got == 0) {
            ggfs_report_place(deep->report, index, "data", tensor->offset + at, GGFS_LEVEL_ERROR,
                              "the file ends before these bytes");
            break;
        }
    }
    return true;
}

/* Tensors over the bytes of an earlier one are left out: a file of a few kilobytes can name the
 * same gigabytes a thousand times. */
static bool look(struct deep *deep, struct ggfs_err *err)
{
    const struct ggfs_model *model = deep->report->model;

    for (uint32_t i = 0; i < model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        if (tensor->faults & 1u << GGFS_FAULT_SHARED)
            continue;
        if (!(ggfs_decode_can(tensor) ? decode(deep, i, err) : read_only(deep, i, err)))
            return false;
    }
    if (model->n_tensors && !deep->decoded)
        ggfs_report_file(deep->report, 0, GGFS_NO_OFFSET, GGFS_LEVEL_WARNING,
                         "there is no value that can be decoded");
    return true;
}

bool ggfs_check_values(const struct ggfs_report *report, struct ggfs_err *err)
{
    struct deep deep = {.report = report};
    bool done = false;

    if (!ggfs_scratch_init(&deep.scratch, err))
        return false;
    deep.values = ggfs_mem_alloc(PIECE * sizeof(float), err);
    if (deep.values)
        done = look(&deep, err);
    free(deep.values);
    ggfs_scratch_free(&deep.scratch);
    return done;
}
