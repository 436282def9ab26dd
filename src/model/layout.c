/* SPDX-License-Identifier: MIT */
/* layout.c - where each tensor's bytes begin and end, and what is wrong with that. */
#include <config.h>

#include "model/model.h"

#include "base/mem.h"
#include "base/num.h"
#include "model/collide.h"

#include <stdlib.h>

_Static_assert(GGFS_FAULT_COUNT <= 16, "a bit of ggfs_tensor.faults each");

static void mark(struct ggfs_tensor *tensor, enum ggfs_fault fault)
{
    tensor->faults |= (uint16_t)(1u << fault);
}

/* Product of ne, or false over 2^63-1. Dimensions of 0 come first: 2^63 * 2 * 0 is 0. */
static bool count_values(const struct ggfs_tensor *tensor, uint64_t *values)
{
    *values = 1;
    for (unsigned i = 0; i < GGFS_MAX_DIMS; i++)
        if (tensor->ne[i] == 0)
            *values = 0;
    for (unsigned i = 0; i < GGFS_MAX_DIMS; i++)
        if (!ggfs_num_mul(*values, tensor->ne[i], values) || *values > INT64_MAX)
            return false;
    return true;
}

/* Sets values and bytes where ne and type tell them; else leaves bytes to the room. */
static bool measure(struct ggfs_tensor *tensor)
{
    const struct ggfs_type_info *type = &ggfs_types[tensor->type];
    uint64_t rows;

    if (!count_values(tensor, &tensor->values)) {
        tensor->values = 0;
        mark(tensor, GGFS_FAULT_OVERFLOW);
        return false;
    }
    if (tensor->type == GGFS_TYPE_NONE)
        return false;
    if ((tensor->flat ? tensor->values : tensor->ne[0]) % type->block_values != 0) {
        mark(tensor, GGFS_FAULT_PARTIAL_BLOCK);
        return false;
    }
    rows = tensor->ne[0] ? tensor->values / tensor->ne[0] : 0;
    if (type->woven_rows && rows % type->woven_rows != 0) {
        mark(tensor, GGFS_FAULT_PARTIAL_GROUP);
        return false;
    }
    if (!ggfs_num_mul(tensor->values / type->block_values, type->block_bytes, &tensor->bytes) ||
        tensor->bytes > INT64_MAX) {
        mark(tensor, GGFS_FAULT_OVERFLOW);
        return false;
    }
    return true;
}

static void settle_one(const struct ggfs_model *model, struct ggfs_tensor *tensor)
{
    const struct ggfs_source *source = &model->sources[tensor->source];
    bool measured = measure(tensor);

    if (!measured)
        tensor->bytes = tensor->room;
    if (source->alignment && tensor->offset != GGFS_NO_OFFSET &&
        (tensor->offset - source->data_at) % source->alignment != 0)
        mark(tensor, GGFS_FAULT_UNALIGNED);
    if (measured && tensor->bytes == 0)
        return;
    if (tensor->offset >= source->size)
        mark(tensor, GGFS_FAULT_PAST_END);
    else if (tensor->bytes > tensor->room)
        mark(tensor, GGFS_FAULT_SHORT_ROOM);
}

/* Tensors of one place in file order, so that it is the later ones that share it. */
static int by_place(const void *a, const void *b, void *context)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct ggfs_tensor *tensors = context, *x = &tensors[i], *y = &tensors[j];

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (i > j) - (i < j);
}

static uint64_t room_up_to(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                           uint64_t next)
{
    uint64_t end = ggfs_num_min(next, model->sources[tensor->source].size);

    return tensor->offset < end ? end - tensor->offset : 0;
}

/* Walks the tensors from the last to the first: the next strictly greater offset is the last one
 * seen that differs. */
static void give_rooms(struct ggfs_model *model, const uint32_t *order)
{
    uint64_t next = UINT64_MAX, here = UINT64_MAX, end;
    uint32_t source = UINT32_MAX;

    for (uint32_t i = model->n_tensors; i-- > 0;) {
        struct ggfs_tensor *tensor = &model->tensors[order[i]];
        if (tensor->source != source) {
            source = tensor->source;
            next = here = UINT64_MAX;
        }
        if (tensor->offset != here)
            next = here;
        here = tensor->offset;
        if (tensor->exact && ggfs_num_add(tensor->offset, tensor->room, &end))
            tensor->room = room_up_to(model, tensor, end);
        else
            tensor->room = room_up_to(model, tensor, next);
    }
}

/* Tensors of one offset, unless they are empty. */
static void mark_shared(struct ggfs_model *model, const uint32_t *order)
{
    const struct ggfs_tensor *last = NULL;

    for (uint32_t i = 0; i < model->n_tensors; i++) {
        struct ggfs_tensor *tensor = &model->tensors[order[i]];
        if (tensor->bytes == 0 || tensor->offset == GGFS_NO_OFFSET)
            continue;
        if (last && last->source == tensor->source && last->offset == tensor->offset)
            mark(tensor, GGFS_FAULT_SHARED);
        last = tensor;
    }
}

uint32_t *ggfs_model_order(const struct ggfs_model *model, struct ggfs_err *err)
{
    uint32_t *order = ggfs_mem_zero(model->n_tensors, sizeof *order, err);

    if (!order)
        return NULL;
    for (uint32_t i = 0; i < model->n_tensors; i++)
        order[i] = i;
    qsort_r(order, model->n_tensors, sizeof *order, by_place, model->tensors);
    return order;
}

bool ggfs_model_settle(struct ggfs_model *model, struct ggfs_err *err)
{
    uint32_t *order = ggfs_model_order(model, err);

    if (!order)
        return false;
    give_rooms(model, order);
    for (uint32_t i = 0; i < model->n_tensors; i++)
        settle_one(model, &model->tensors[i]);
    ggfs_collide_settle(model);
    mark_shared(model, order);
    free(order);
    return true;
}
