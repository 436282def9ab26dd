/* SPDX-License-Identifier: MIT */
/* model.c - the life of a model, and questions about its keys and tensors. */
#include <config.h>

#include "model/model.h"

#include "base/mem.h"
#include "base/num.h"
#include "model/joined.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOTE GGFS_LEVEL_NOTE
#define WARNING GGFS_LEVEL_WARNING
#define ERROR GGFS_LEVEL_ERROR

#define MOST_NOTES 1000

const struct ggfs_fault_info ggfs_faults[GGFS_FAULT_COUNT] = {
#define F(id, name_, level_, hides_, field_, text_)                                                \
    [GGFS_FAULT_##id] = {                                                                          \
        .name = name_, .level = level_, .hides = hides_, .field = field_, .text = text_},
#include "model/faults.def"
#undef F
};

struct ggfs_model *ggfs_model_new(struct ggfs_err *err)
{
    struct ggfs_model *model = ggfs_mem_zero(1, sizeof *model, err);

    if (model)
        ggfs_arena_init(&model->arena);
    return model;
}

void ggfs_model_free(struct ggfs_model *model)
{
    if (!model)
        return;
    for (uint32_t i = 0; i < model->n_sources; i++)
        ggfs_source_close(&model->sources[i]);
    ggfs_arena_free(&model->arena);
    free(model->header);
    free(model->keys);
    free(model->tensors);
    free(model);
}

bool ggfs_model_note(struct ggfs_model *model, const struct ggfs_note *note, struct ggfs_err *err,
                     const char *format, ...)
{
    struct ggfs_note **end = &model->notes, *copy;
    char text[sizeof err->text];
    va_list args;

    if (model->n_notes == MOST_NOTES)
        return true;
    copy = ggfs_arena_alloc(&model->arena, sizeof *copy, err);
    if (!copy)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (++model->n_notes == MOST_NOTES)
        snprintf(text, sizeof text, "more was found than is listed here");
    *copy = *note;
    copy->next = NULL;
    copy->text = ggfs_arena_text(&model->arena, ggfs_str_from(text), err);
    while (*end)
        end = &(*end)->next;
    *end = copy;
    return copy->text != NULL;
}

const struct ggfs_key *ggfs_model_key(const struct ggfs_model *model, const char *name)
{
    struct ggfs_str wanted = ggfs_str_from(name);

    for (uint32_t i = 0; i < model->n_keys; i++)
        if (ggfs_str_equal(model->keys[i].name, wanted))
            return &model->keys[i];
    return NULL;
}

struct ggfs_str ggfs_model_text(const struct ggfs_model *model, const char *name)
{
    const struct ggfs_key *key = ggfs_model_key(model, name);
    struct ggfs_str text = {"", 0};

    if (key)
        ggfs_value_as_str(&key->value, &text);
    return text;
}

bool ggfs_tensor_hidden(const struct ggfs_tensor *tensor)
{
    for (unsigned i = 0; i < GGFS_FAULT_COUNT; i++)
        if ((tensor->faults >> i & 1) && ggfs_faults[i].hides)
            return true;
    return false;
}

static uint64_t joined_present(const struct ggfs_joined *joined)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < joined->n; i++)
        sum += ggfs_num_min(joined->parts[i].room, joined->bytes);
    return sum;
}

uint64_t ggfs_tensor_present(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    uint64_t size = model->sources[tensor->source].size;

    if (tensor->joined)
        return joined_present(tensor->joined);
    if (tensor->offset >= size)
        return 0;
    return ggfs_num_min(ggfs_num_min(tensor->bytes, tensor->room), size - tensor->offset);
}

const char *ggfs_tensor_type_name(const struct ggfs_tensor *tensor, char out[16])
{
    if (tensor->type != GGFS_TYPE_NONE)
        return ggfs_types[tensor->type].name;
    snprintf(out, 16, "type%" PRIu32, tensor->type_id);
    return out;
}

uint64_t ggfs_tensor_name_at(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    const struct ggfs_source *source = &model->sources[tensor->source];

    if (source->records == GGFS_RECORDS_GGML)
        return tensor->at + 12 + 4 * (uint64_t)tensor->n_dims;
    return tensor->at + source->len_bytes;
}

uint64_t ggfs_tensor_dims_at(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    const struct ggfs_source *source = &model->sources[tensor->source];

    if (source->records == GGFS_RECORDS_GGML)
        return tensor->at + 12;
    return tensor->at + source->len_bytes + tensor->name.len + 4;
}

/* Behind the dimensions, with the offset behind it; where data follow their record they stand for
 * the offset. */
static uint64_t type_at(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    const struct ggfs_source *source = &model->sources[tensor->source];

    if (source->records == GGFS_RECORDS_GGML)
        return tensor->at + 8;
    return ggfs_tensor_dims_at(model, tensor) + (uint64_t)tensor->n_dims * source->len_bytes;
}

uint64_t ggfs_tensor_field(const struct ggfs_model *model, uint32_t index, enum ggfs_fault fault,
                           char *field, size_t size)
{
    const struct ggfs_tensor *tensor = &model->tensors[index];
    uint64_t type = type_at(model, tensor);
    const char *name = ggfs_faults[fault].field;

    if (name[0] == 'd' && tensor->n_dims) {
        snprintf(field, size, "tensor[%" PRIu32 "].dims[0]", index);
        return ggfs_tensor_dims_at(model, tensor);
    }
    snprintf(field, size, "tensor[%" PRIu32 "].%s", index, name);
    if (name[0] != 'o')
        return type;
    return model->sources[tensor->source].records == GGFS_RECORDS_GGML ? tensor->offset : type + 4;
}
