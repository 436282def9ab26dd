/* SPDX-License-Identifier: MIT */
/* collide.c - type numbers that have stood for more than one layout: the room decides which. */
#include <config.h>

#include "model/collide.h"

#include "base/num.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A layout that a type number means elsewhere. */
struct other {
    uint8_t type;           /* enum ggfs_type: what the number means here */
    uint8_t fault;          /* enum ggfs_fault; rows of one fault stand in one file together */
    uint16_t values, bytes; /* a block */
    uint16_t tail;          /* bytes behind the last block */
};

/* Blocks of 64: llama.cpp built with QK_K = 64 (2023-06 to 2024-05). Q2_0: a fork of 2025. I2_S:
 * two bits a value and one scale a tensor, of a fork for ternary models. */
static const struct other others[] = {
    {GGFS_TYPE_Q2_K, GGFS_FAULT_BLOCKS_OF_64, 64, 24, 0},
    {GGFS_TYPE_Q3_K, GGFS_FAULT_BLOCKS_OF_64, 64, 28, 0},
    {GGFS_TYPE_Q4_K, GGFS_FAULT_BLOCKS_OF_64, 64, 38, 0},
    {GGFS_TYPE_Q5_K, GGFS_FAULT_BLOCKS_OF_64, 64, 46, 0},
    {GGFS_TYPE_Q6_K, GGFS_FAULT_BLOCKS_OF_64, 64, 54, 0},
    {GGFS_TYPE_IQ2_XXS, GGFS_FAULT_BLOCKS_OF_64, 64, 18, 0},
    {GGFS_TYPE_IQ2_XS, GGFS_FAULT_BLOCKS_OF_64, 64, 20, 0},
    {GGFS_TYPE_IQ3_XXS, GGFS_FAULT_BLOCKS_OF_64, 64, 26, 0},
    {GGFS_TYPE_IQ1_S, GGFS_FAULT_BLOCKS_OF_64, 64, 14, 0},
    {GGFS_TYPE_IQ2_S, GGFS_FAULT_BLOCKS_OF_64, 64, 22, 0},
    {GGFS_TYPE_IQ3_S, GGFS_FAULT_BLOCKS_OF_64, 64, 30, 0},
    {GGFS_TYPE_IQ1_M, GGFS_FAULT_BLOCKS_OF_64, 64, 16, 0},
    {GGFS_TYPE_IQ4_XS, GGFS_FAULT_BLOCKS_OF_64, 32, 18, 0},
    {GGFS_TYPE_Q2_0, GGFS_FAULT_BLOCKS_OF_128, 128, 34, 0},
    {GGFS_TYPE_IQ4_NL_4_4, GGFS_FAULT_I2_S, 4, 1, 32},
};

#define F(id) (1u << GGFS_FAULT_##id)

/* Faults that come of measuring with the wrong layout, and all that the wrong type brings. */
#define MISMEASURED (F(PARTIAL_BLOCK) | F(PARTIAL_GROUP) | F(SHORT_ROOM))
#define MISTAKEN (MISMEASURED | F(REMOVED_TYPE))

static const struct other *other_of(const struct ggfs_tensor *tensor)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].type == tensor->type)
            return &others[i];
    return NULL;
}

/* True where so many bytes take the tensor's room, but for padding up to the alignment. */
static bool fills_room(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                       uint64_t bytes)
{
    const struct ggfs_source *source = &model->sources[tensor->source];
    uint64_t place = tensor->offset - source->data_at, end;

    if (bytes == 0 || bytes > tensor->room || !ggfs_num_add(place, bytes, &end))
        return false;
    if (source->alignment && !ggfs_num_align(end, source->alignment, &end))
        return false;
    return tensor->room <= end - place;
}

static bool is_own(const struct ggfs_model *model, const struct ggfs_tensor *tensor)
{
    return !(tensor->faults & MISMEASURED) && fills_room(model, tensor, tensor->bytes);
}

static bool is_other(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                     const struct other *other)
{
    uint64_t bytes;

    return tensor->ne[0] % other->values == 0 && tensor->values > 0 &&
           ggfs_num_mul(tensor->values / other->values, other->bytes, &bytes) &&
           fills_room(model, tensor, bytes + other->tail);
}

/* What the room allows. A tensor is of the other layout where only that fills it; where both or
 * neither does, where others of its file are. */
static bool takes_other(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                        const struct other *other, unsigned seen)
{
    bool own = is_own(model, tensor), fits = is_other(model, tensor, other);

    if (own != fits)
        return fits;
    return (seen >> other->fault & 1) && (fits || !ggfs_tensor_hidden(tensor));
}

static void take_other(struct ggfs_tensor *tensor, const struct other *other)
{
    tensor->type = GGFS_TYPE_NONE;
    tensor->bytes = tensor->room;
    tensor->faults = (uint16_t)((tensor->faults & ~MISTAKEN) | 1u << other->fault);
}

void ggfs_collide_settle(struct ggfs_model *model)
{
    unsigned seen = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < model->n_tensors; i++) {
            struct ggfs_tensor *tensor = &model->tensors[i];
            const struct other *other = other_of(tensor);
            if (!other || tensor->values == 0 ||
                !takes_other(model, tensor, other, pass ? seen : 0))
                continue;
            seen |= 1u << other->fault;
            take_other(tensor, other);
        }
}
