/* SPDX-License-Identifier: MIT */
/* places.c - checks of where tensors lie: over each other, with gaps, up to the end of the file. */
#include <config.h>

#include "base/mem.h"
#include "base/num.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stdlib.h>

static bool has_place(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    return tensor->bytes > 0 && tensor->offset < model->sources[tensor->source].size;
}

/* The tensors that have bytes in the file, by file and offset, those of one offset in file order.
 * NULL without memory. */
static uint32_t *places(const struct ggfs_model *model, uint32_t *n, struct ggfs_err *err)
{
    uint32_t *order = ggfs_model_order(model, err);

    *n = 0;
    for (uint32_t i = 0; order && i < model->n_tensors; i++)
        if (has_place(model, &model->tensors[order[i]]))
            order[(*n)++] = order[i];
    return order;
}

static uint64_t end_of(const struct ggfs_tensor *tensor)
{
    uint64_t end;

    return ggfs_num_add(tensor->offset, tensor->bytes, &end) ? end : UINT64_MAX;
}

/* Where the last tensor of each file ends, as far as that can be. */
static void find_ends(const struct ggfs_model *model, uint64_t *ends)
{
    for (uint32_t i = 0; i < model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        uint64_t end;
        if (tensor->bytes > 0 && tensor->offset != GGFS_NO_OFFSET &&
            ggfs_num_add(tensor->offset, tensor->bytes, &end) && end > ends[tensor->source])
            ends[tensor->source] = end;
    }
}

/* One sentence about a file that was cut, beside those about each of its tensors. */
bool ggfs_check_end(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    uint64_t *ends = ggfs_mem_zero(model->n_sources, sizeof *ends, err);

    if (!ends)
        return false;
    find_ends(model, ends);
    for (uint32_t i = 0; i < model->n_sources; i++)
        if (ends[i] > model->sources[i].size)
            ggfs_report_file(report, i, model->sources[i].size, GGFS_LEVEL_ERROR,
                             "the file has %" PRIu64 " bytes, but its tensors end at %" PRIu64
                             ": it was cut, or they are wrong",
                             model->sources[i].size, ends[i]);
    free(ends);
    return true;
}

static void report_overlap(const struct ggfs_report *report, uint32_t index, uint32_t other)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];
    const struct ggfs_tensor *before = &report->model->tensors[other];
    uint64_t end = ggfs_num_min(end_of(tensor), end_of(before));

    if (tensor->offset == before->offset && tensor->bytes == before->bytes)
        ggfs_report_tensor(report, index, GGFS_FAULT_SHARED, ggfs_faults[GGFS_FAULT_SHARED].level,
                           "all its bytes are those of tensor[%" PRIu32 "]", other);
    else
        ggfs_report_tensor(report, index, GGFS_FAULT_SHARED, ggfs_faults[GGFS_FAULT_SHARED].level,
                           "its first %" PRIu64 " bytes are also those of tensor[%" PRIu32 "]",
                           end - tensor->offset, other);
}

/* One finding for each tensor that begins inside another: a walk in order of place needs only
 * remember the one that reaches farthest. */
bool ggfs_check_overlap(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_tensor *tensors = report->model->tensors;
    uint32_t n, *order = places(report->model, &n, err), far = 0;

    if (!order)
        return false;
    for (uint32_t i = 1; i < n; i++) {
        const struct ggfs_tensor *tensor = &tensors[order[i]], *before = &tensors[order[far]];
        bool same_file = tensor->source == before->source;
        if (same_file && tensor->offset < end_of(before))
            report_overlap(report, order[i], order[far]);
        if (!same_file || end_of(tensor) > end_of(before))
            far = i;
    }
    free(order);
    return true;
}

/* Where a tensor may begin at the earliest when the one before it ends at end. */
static uint64_t next_place(const struct ggfs_source *source, uint64_t end)
{
    uint64_t place;

    if (source->alignment == 0 || source->records == GGFS_RECORDS_GGML || end < source->data_at)
        return end;
    if (!ggfs_num_align(end - source->data_at, source->alignment, &place) ||
        !ggfs_num_add(place, source->data_at, &place))
        return UINT64_MAX;
    return place;
}

/* A gap is what padding up to the next multiple of the alignment does not explain. */
bool ggfs_check_gap(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    uint32_t n, *order = places(model, &n, err), source = UINT32_MAX;
    uint64_t end = 0;

    if (!order)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[order[i]];
        if (tensor->source != source)
            end = model->sources[tensor->source].data_at;
        source = tensor->source;
        if (model->sources[source].records == GGFS_RECORDS_GGML)
            continue; /* the records lie between: the walk over them has left no gap */
        if (tensor->offset > next_place(&model->sources[source], end))
            ggfs_report_tensor(report, order[i], GGFS_FAULT_SHORT_ROOM, GGFS_LEVEL_NOTE,
                               "the %" PRIu64 " bytes before it belong to no tensor",
                               tensor->offset - end);
        if (end_of(tensor) > end)
            end = end_of(tensor);
    }
    free(order);
    return true;
}

static void report_end(const struct ggfs_report *report, uint32_t source, uint64_t end)
{
    uint64_t size = report->model->sources[source].size;
    uint64_t padded = next_place(&report->model->sources[source], end);

    if (end <= size && size < padded)
        ggfs_report_file(report, source, size, GGFS_LEVEL_NOTE,
                         "%" PRIu64 " bytes of padding are missing behind the last tensor",
                         padded - size);
    else if (size > padded)
        ggfs_report_file(report, source, padded, GGFS_LEVEL_NOTE,
                         "%" PRIu64 " bytes behind the last tensor belong to none", size - padded);
}

bool ggfs_check_padding(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    uint32_t n, *order = places(model, &n, err);
    uint64_t end = 0;

    if (!order)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[order[i]];
        if (end_of(tensor) > end)
            end = end_of(tensor);
        if (i + 1 == n || model->tensors[order[i + 1]].source != tensor->source) {
            report_end(report, tensor->source, end);
            end = 0;
        }
    }
    free(order);
    return true;
}
