/* SPDX-License-Identifier: MIT */
/* tensors.c - checks of the model as a whole and of each tensor by itself. */
#include <config.h>

#include "base/num.h"
#include "check/report.h"
#include "check/rows.h"
#include "decode/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool ggfs_check_tensors(const struct ggfs_report *report, struct ggfs_err *err)
{
    (void)err;
    if (report->model->n_tensors == 0)
        ggfs_report_file(report, 0, GGFS_NO_OFFSET, GGFS_LEVEL_WARNING, "there are no tensors");
    return true;
}

static void detail_dims(const struct ggfs_tensor *tensor, char *out, size_t size)
{
    snprintf(out, size, "%" PRIu64 " x %" PRIu64 " x %" PRIu64 " x %" PRIu64, tensor->ne[0],
             tensor->ne[1], tensor->ne[2], tensor->ne[3]);
}

static void detail_place(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                         char *out, size_t size)
{
    const struct ggfs_source *file = &model->sources[tensor->source];

    if (tensor->offset == GGFS_NO_OFFSET)
        snprintf(out, size, "at over 2^64, the file has %" PRIu64 " bytes", file->size);
    else
        snprintf(out, size, "at %" PRIu64 ", the file has %" PRIu64 " bytes", tensor->offset,
                 file->size);
}

/* The numbers that show the fault. */
static void detail(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                   enum ggfs_fault fault, char *out, size_t size)
{
    const struct ggfs_source *file = &model->sources[tensor->source];

    switch (fault) {
    case GGFS_FAULT_PARTIAL_BLOCK:
        snprintf(out, size, "%" PRIu64 " values, blocks of %u", tensor->ne[0],
                 ggfs_types[tensor->type].block_values);
        break;
    case GGFS_FAULT_UNKNOWN_TYPE:
    case GGFS_FAULT_NO_SUCH_TYPE:
    case GGFS_FAULT_OWN_SWAP:
    case GGFS_FAULT_REMOVED_TYPE:
    case GGFS_FAULT_BLOCKS_OF_64:
    case GGFS_FAULT_BUILT_FOR_64:
    case GGFS_FAULT_BLOCKS_OF_128:
    case GGFS_FAULT_I2_S:
        snprintf(out, size, "%" PRIu32, tensor->type_id);
        break;
    case GGFS_FAULT_SHORT_ROOM:
        snprintf(out, size, "%" PRIu64 ", there are %" PRIu64, tensor->bytes, tensor->room);
        break;
    case GGFS_FAULT_PAST_END:
        detail_place(model, tensor, out, size);
        break;
    case GGFS_FAULT_UNALIGNED:
        snprintf(out, size, "%" PRIu64 " is none of %" PRIu64, tensor->offset - file->data_at,
                 file->alignment);
        break;
    default:
        detail_dims(tensor, out, size);
    }
}

static void report_fault(const struct ggfs_report *report, uint32_t index, enum ggfs_fault fault)
{
    const struct ggfs_fault_info *info = &ggfs_faults[fault];
    char numbers[128];

    detail(report->model, &report->model->tensors[index], fault, numbers, sizeof numbers);
    ggfs_report_tensor(report, index, fault, info->level, "%s: %s", info->text, numbers);
}

bool ggfs_check_faults(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    unsigned wanted = 0;

    (void)err;
    for (unsigned fault = 0; fault < GGFS_FAULT_COUNT; fault++)
        if (strcmp(ggfs_faults[fault].name, report->check) == 0)
            wanted |= 1u << fault;
    for (uint32_t i = 0; i < model->n_tensors; i++)
        for (unsigned fault = 0; fault < GGFS_FAULT_COUNT; fault++)
            if (model->tensors[i].faults & wanted & 1u << fault)
                report_fault(report, i, (enum ggfs_fault)fault);
    return true;
}

/* Offset of a dimension in the tensor's record. */
static uint64_t dim_at(const struct ggfs_report *report, const struct ggfs_tensor *tensor,
                       unsigned dim)
{
    uint64_t width = report->model->sources[tensor->source].len_bytes;

    return ggfs_tensor_dims_at(report->model, tensor) + dim * width;
}

static bool ends_in_one(const struct ggfs_tensor *tensor)
{
    return tensor->n_dims > 1 && tensor->ne[tensor->n_dims - 1] == 1;
}

static bool is_empty(const struct ggfs_tensor *tensor)
{
    return tensor->ne[0] == 0 || tensor->ne[1] == 0 || tensor->ne[2] == 0 || tensor->ne[3] == 0;
}

/* One finding for all the tensors that are odd in this way, at the first of them. */
static void report_dims(const struct ggfs_report *report,
                        bool (*odd)(const struct ggfs_tensor *tensor), const char *what)
{
    const struct ggfs_model *model = report->model;
    uint32_t n = 0, first = 0;
    char field[16];

    for (uint32_t i = model->n_tensors; i-- > 0;)
        if (odd(&model->tensors[i])) {
            first = i;
            n++;
        }
    if (n == 0)
        return;
    unsigned dim = model->tensors[first].n_dims - 1u;
    snprintf(field, sizeof field, "dims[%u]", dim);
    ggfs_report_place(report, first, field, dim_at(report, &model->tensors[first], dim),
                      GGFS_LEVEL_NOTE, "%s; tensors like this one: %" PRIu32, what, n);
}

bool ggfs_check_dims(const struct ggfs_report *report, struct ggfs_err *err)
{
    (void)err;
    report_dims(report, is_empty, "no values");
    report_dims(report, ends_in_one, "a last dimension of 1, which ggml does not keep");
    return true;
}

/* One finding a type: a model has hundreds of tensors of a few types. */
bool ggfs_check_decoder(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    uint32_t count[GGFS_TYPE_COUNT] = {0}, first[GGFS_TYPE_COUNT];

    (void)err;
    for (uint32_t i = model->n_tensors; i-- > 0;) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        if (tensor->type >= GGFS_TYPE_COUNT || ggfs_tensor_hidden(tensor) ||
            ggfs_decode_has_kernel(tensor))
            continue;
        count[tensor->type]++;
        first[tensor->type] = i;
    }
    for (unsigned type = 0; type < GGFS_TYPE_COUNT; type++)
        if (count[type])
            ggfs_report_tensor(report, first[type], GGFS_FAULT_UNKNOWN_TYPE, GGFS_LEVEL_NOTE,
                               "no decoder for %s, the type of %" PRIu32 " tensors",
                               ggfs_types[type].name, count[type]);
    return true;
}
