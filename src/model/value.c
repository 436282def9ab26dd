/* SPDX-License-Identifier: MIT */
/* value.c - reading numbers, strings and arrays out of a header. */
#include <config.h>

#include "model/value.h"

#include "base/num.h"

static const struct {
    const char *name;
    uint8_t width;
} types[GGFS_VALUE_TYPES] = {
    [GGFS_VALUE_U8] = {"u8", 1},     [GGFS_VALUE_I8] = {"i8", 1},   [GGFS_VALUE_U16] = {"u16", 2},
    [GGFS_VALUE_I16] = {"i16", 2},   [GGFS_VALUE_U32] = {"u32", 4}, [GGFS_VALUE_I32] = {"i32", 4},
    [GGFS_VALUE_F32] = {"f32", 4},   [GGFS_VALUE_BOOL] = {"bool", 1}, [GGFS_VALUE_STR] = {"str", 0},
    [GGFS_VALUE_ARR] = {"arr", 0},   [GGFS_VALUE_U64] = {"u64", 8}, [GGFS_VALUE_I64] = {"i64", 8},
    [GGFS_VALUE_F64] = {"f64", 8},
};

unsigned ggfs_value_width(unsigned type)
{
    return types[type].width;
}

const char *ggfs_value_type_name(unsigned type)
{
    return types[type].name;
}

uint64_t ggfs_value_unsigned(const uint8_t *p, unsigned type, bool big)
{
    switch (ggfs_value_width(type)) {
    case 1:
        return p[0];
    case 2:
        return ggfs_num_u16(p, big);
    case 4:
        return ggfs_num_u32(p, big);
    default:
        return ggfs_num_u64(p, big);
    }
}

int64_t ggfs_value_signed(const uint8_t *p, unsigned type, bool big)
{
    switch (ggfs_value_width(type)) {
    case 1:
        return (int8_t)p[0];
    case 2:
        return (int16_t)ggfs_num_u16(p, big);
    case 4:
        return (int32_t)ggfs_num_u32(p, big);
    default:
        return (int64_t)ggfs_num_u64(p, big);
    }
}

double ggfs_value_float(const uint8_t *p, unsigned type, bool big)
{
    if (type == GGFS_VALUE_F32)
        return (double)ggfs_num_f32(ggfs_num_u32(p, big));
    return ggfs_num_f64(ggfs_num_u64(p, big));
}

bool ggfs_value_is_unsigned(unsigned type)
{
    return type == GGFS_VALUE_U8 || type == GGFS_VALUE_U16 || type == GGFS_VALUE_U32 ||
           type == GGFS_VALUE_U64;
}

bool ggfs_value_is_integer(unsigned type)
{
    return ggfs_value_is_unsigned(type) || type == GGFS_VALUE_I8 || type == GGFS_VALUE_I16 ||
           type == GGFS_VALUE_I32 || type == GGFS_VALUE_I64;
}

bool ggfs_value_as_u64(const struct ggfs_value *value, uint64_t *out)
{
    int64_t number;

    if (!ggfs_value_is_integer(value->type))
        return false;
    if (ggfs_value_is_unsigned(value->type)) {
        *out = ggfs_value_unsigned(value->data, value->type, value->big);
        return true;
    }
    number = ggfs_value_signed(value->data, value->type, value->big);
    *out = (uint64_t)number;
    return number >= 0;
}

bool ggfs_value_as_str(const struct ggfs_value *value, struct ggfs_str *out)
{
    if (value->type != GGFS_VALUE_STR)
        return false;
    *out = (struct ggfs_str){(const char *)value->data, (size_t)value->size};
    return true;
}

void ggfs_value_walk_start(struct ggfs_value_walk *walk, const struct ggfs_value *value)
{
    walk->at = 0;
    walk->depth = 1;
    walk->open[0].left = value->count;
    walk->open[0].done = 0;
    walk->open[0].elem = value->elem;
}

static uint64_t take_length(struct ggfs_value_walk *walk, const struct ggfs_value *value)
{
    const uint8_t *p = value->data + walk->at;

    walk->at += value->len_bytes;
    return value->len_bytes == 4 ? ggfs_num_u32(p, value->big) : ggfs_num_u64(p, value->big);
}

static void open_inner(struct ggfs_value_walk *walk, const struct ggfs_value *value)
{
    uint32_t elem = ggfs_num_u32(value->data + walk->at, value->big);

    walk->at += 4;
    walk->open[walk->depth].elem = (uint8_t)elem;
    walk->open[walk->depth].left = take_length(walk, value);
    walk->open[walk->depth].done = 0;
    walk->depth++;
}

static void take_scalar(struct ggfs_value_walk *walk, const struct ggfs_value *value,
                        struct ggfs_value_item *item)
{
    uint64_t n = item->type == GGFS_VALUE_STR ? take_length(walk, value)
                                              : ggfs_value_width(item->type);

    item->bytes = (struct ggfs_str){(const char *)value->data + walk->at, (size_t)n};
    walk->at += n;
}

void ggfs_value_walk_next(struct ggfs_value_walk *walk, const struct ggfs_value *value,
                          struct ggfs_value_item *item)
{
    uint32_t top = walk->depth - 1;

    if (walk->depth == 0) {
        item->step = GGFS_VALUE_END;
        return;
    }
    if (walk->open[top].left == 0) {
        walk->depth = top;
        item->step = top ? GGFS_VALUE_CLOSE : GGFS_VALUE_END;
        return;
    }
    walk->open[top].left--;
    item->index = walk->open[top].done++;
    item->type = walk->open[top].elem;
    item->step = item->type == GGFS_VALUE_ARR ? GGFS_VALUE_OPEN : GGFS_VALUE_SCALAR;
    if (item->step == GGFS_VALUE_OPEN)
        open_inner(walk, value);
    else
        take_scalar(walk, value, item);
}
