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
    uint8_t becomes;        /* enum ggfs_type of that layout; GGFS_TYPE_NONE: no row has it */
    uint16_t values, bytes; /* a block */
    uint16_t tail;          /* bytes behind the last block */
};

#define KNOWN(id) GGFS_TYPE_##id, GGFS_FAULT_BLOCKS_OF_64, GGFS_TYPE_##id##_64
#define HIDDEN(id, fault) GGFS_TYPE_##id, GGFS_FAULT_##fault, GGFS_TYPE_NONE

/* Blocks of 64: llama.cpp built with QK_K = 64 (2023-06 to 2024-05). Q2_0: a fork of 2025. I2_S:
 * two bits a value and one scale a tensor, of a fork for ternary models. */
static const struct other others[] = {
    {KNOWN(Q2_K), 64, 24, 0},
    {KNOWN(Q3_K), 64, 28, 0},
    {KNOWN(Q4_K), 64, 38, 0},
    {KNOWN(Q5_K), 64, 46, 0},
    {KNOWN(Q6_K), 64, 54, 0},
    {HIDDEN(IQ2_XXS, BLOCKS_OF_64), 64, 18, 0},
    {HIDDEN(IQ2_XS, BLOCKS_OF_64), 64, 20, 0},
    {HIDDEN(IQ3_XXS, BLOCKS_OF_64), 64, 26, 0},
    {HIDDEN(IQ1_S, BLOCKS_OF_64), 64, 14, 0},
    {HIDDEN(IQ2_S, BLOCKS_OF_64), 64, 22, 0},
    {HIDDEN(IQ3_S, BLOCKS_OF_64), 64, 30, 0},
    {HIDDEN(IQ1_M, BLOCKS_OF_64), 64, 16, 0},
    {HIDDEN(IQ4_XS, BLOCKS_OF_64), 32, 18, 0},
    {HIDDEN(Q2_0, BLOCKS_OF_128), 128, 34, 0},
    {HIDDEN(IQ4_NL_4_4, I2_S), 4, 1, 32},
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

/* Bytes that the tensor has in the other layout. False where its rows are no whole blocks. */
static bool measure(const struct ggfs_tensor *tensor, const struct other *other, uint64_t *bytes)
{
    return tensor->ne[0] % other->values == 0 &&
           ggfs_num_mul(tensor->values / other->values, other->bytes, bytes) &&
           ggfs_num_add(*bytes, other->tail, bytes);
}

static bool is_other(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                     const struct other *other)
{
    uint64_t bytes;

    return measure(tensor, other, &bytes) && fills_room(model, tensor, bytes);
}

/* What the tensors say, a bit a fault each. */
struct evidence {
    unsigned seen;   /* of some tensor only the other layout fills the room */
    unsigned proven; /* and its rows are too short for the usual one: no gap looks like that */
};

static struct evidence gather(const struct ggfs_model *model)
{
    struct evidence evidence = {0, 0};

    for (uint32_t i = 0; i < model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        const struct other *other = tensor->values ? other_of(tensor) : NULL;
        if (!other || is_own(model, tensor) || !is_other(model, tensor, other))
            continue;
        evidence.seen |= 1u << other->fault;
        if (tensor->faults & F(PARTIAL_BLOCK))
            evidence.proven |= 1u << other->fault;
    }
    return evidence;
}

/* A tensor is of the other layout where only that fills its room; where both or neither does, when
 * others of the model are. Where there is proof, whatever the room is. */
static bool takes_other(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                        const struct other *other, const struct evidence *evidence)
{
    bool own, fits;

    if (evidence->proven >> other->fault & 1)
        return tensor->ne[0] % other->values == 0;
    own = is_own(model, tensor);
    fits = is_other(model, tensor, other);
    if (own != fits)
        return fits;
    return (evidence->seen >> other->fault & 1) && (fits || !ggfs_tensor_hidden(tensor));
}

static void hide(struct ggfs_tensor *tensor, const struct other *other)
{
    tensor->type = GGFS_TYPE_NONE;
    tensor->bytes = tensor->room;
    tensor->faults = (uint16_t)((tensor->faults & ~MISTAKEN) | 1u << other->fault);
}

static void become(struct ggfs_tensor *tensor, const struct other *other)
{
    if (!measure(tensor, other, &tensor->bytes) || tensor->bytes > INT64_MAX) {
        hide(tensor, other);
        return;
    }
    tensor->type = other->becomes;
    tensor->faults = (uint16_t)((tensor->faults & ~MISTAKEN) | F(BUILT_FOR_64));
    if (tensor->bytes > tensor->room && !(tensor->faults & F(PAST_END)))
        tensor->faults |= F(SHORT_ROOM);
}

void ggfs_collide_settle(struct ggfs_model *model)
{
    struct evidence evidence = gather(model);

    for (uint32_t i = 0; evidence.seen && i < model->n_tensors; i++) {
        struct ggfs_tensor *tensor = &model->tensors[i];
        const struct other *other = tensor->values ? other_of(tensor) : NULL;
        if (!other || !takes_other(model, tensor, other, &evidence))
            continue;
        if (other->becomes != GGFS_TYPE_NONE && (evidence.proven >> other->fault & 1))
            become(tensor, other);
        else
            hide(tensor, other);
    }
}
