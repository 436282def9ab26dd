/* SPDX-License-Identifier: MIT */
/* gguf.c - GGUF 1, 2 and 3 in either byte order.
 *
 *     "GGUF"  u32 version  length n_tensors  length n_kv
 *     n_kv x       string key, u32 type, value
 *     n_tensors x  string name, u32 n_dims, n_dims x length ne, u32 type, u64 offset
 *     padding up to a multiple of general.alignment (32 where it is not given), then the data
 *
 * A length has 4 bytes in version 1 and 8 later; a string is a length and that many bytes; an array
 * is u32 element type, length count, elements. Offsets count from the start of the data. Facts from
 * the GGUF specification and ggml's reader of 2026-08; version 1 from that of 2023-08. */
#include <config.h>

#include "formats/gguf.h"

#include "base/mem.h"
#include "base/num.h"
#include "formats/gguf_types.h"
#include "formats/reader.h"
#include "formats/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ALIGNMENT 32

/* Fewest bytes that a record takes beside its lengths: a key's type and value, a tensor's n_dims,
 * type and offset. What a count claims is held against them before anything is done for it. */
#define KEY_BYTES 5
#define TENSOR_BYTES 16

/* More keys or tensors than this are refused. The largest models have some ten thousand; a record
 * takes four times as much memory as its fewest bytes in the file, which may be a hole. */
#define MOST_RECORDS (UINT64_C(1) << 22)

/* So is more than this many arrays inside arrays in a file: nobody writes any, and a hole has room
 * for 80 million of them. */
#define MOST_INNER_ARRAYS MOST_RECORDS

/* A list that grows with what was read; it becomes the model's. Or one item again and again, for a
 * walk that only looks whether everything is well formed. */
struct growing {
    void *items;
    size_t item_bytes;
    uint32_t n, room;
    bool reuse;
};

/* What is read of a file. */
struct header {
    struct growing keys, tensors;
    uint64_t alignment; /* 0: not given (so far); the first one counts */
    uint32_t version;
};

static void *grow(struct growing *list, struct ggfs_err *err)
{
    uint32_t room = list->room ? list->room * 2 : 64;
    void *items;

    if (list->reuse)
        list->n = 0;
    if (list->n == list->room) {
        size_t bytes;
        if (!ggfs_num_mul_size(room, list->item_bytes, &bytes))
            bytes = SIZE_MAX;
        items = ggfs_mem_resize(list->items, bytes, err);
        if (!items)
            return NULL;
        list->items = items;
        list->room = room;
    }
    return memset((char *)list->items + list->item_bytes * list->n++, 0, list->item_bytes);
}

/* The list cut to its items; NULL where there are none. */
static void *grown(struct growing *list)
{
    void *cut;

    if (list->n == 0)
        return NULL;
    cut = realloc(list->items, list->item_bytes * list->n);
    return cut ? cut : list->items;
}

static bool probe(const uint8_t *head, size_t n)
{
    return n >= 4 && memcmp(head, "GGUF", 4) == 0;
}

static bool parse_version(struct ggfs_reader *reader, uint32_t *version)
{
    uint64_t at = reader->at;

    if (!ggfs_reader_u32(reader, "version", version))
        return false;
    /* A word of the other byte order has its small number in the upper half. */
    reader->big = (*version & 0xFFFF) == 0 && *version != 0;
    if (reader->big)
        *version = ggfs_num_u32(ggfs_reader_cursor(reader) - 4, true);
    if (*version < 1 || *version > 3)
        return ggfs_reader_fail(reader, at, "version", "%" PRIu32 "%s, but 1 to 3 exist", *version,
                                reader->big ? " (big-endian)" : "");
    reader->len_bytes = *version == 1 ? 4 : 8;
    return true;
}

/* Holds a count of records, each of which takes at least so many bytes, against the file's size. */
static bool check_count(struct ggfs_reader *reader, const char *leaf, uint64_t at, uint64_t count,
                        uint64_t least)
{
    if (count <= ggfs_reader_left(reader) / least) {
        if (count <= MOST_RECORDS)
            return true;
        return ggfs_reader_fail(reader, at, leaf, "%" PRIu64 ", at most %" PRIu64, count,
                                MOST_RECORDS);
    }
    return ggfs_reader_fail(reader, at, leaf,
                            "%" PRIu64 ", but %" PRIu64
                            " bytes are left in the file, and each takes at least %" PRIu64,
                            count, ggfs_reader_left(reader), least);
}

static bool parse_counts(struct ggfs_reader *reader, uint64_t *n_tensors, uint64_t *n_keys)
{
    uint64_t at = reader->at, len = reader->len_bytes;

    return ggfs_reader_length(reader, "n_tensors", n_tensors) &&
           ggfs_reader_length(reader, "n_kv", n_keys) &&
           check_count(reader, "n_tensors", at, *n_tensors, len + TENSOR_BYTES) &&
           check_count(reader, "n_kv", at + len, *n_keys, len + KEY_BYTES);
}

static bool is_value_type(uint32_t type)
{
    return type < GGFS_VALUE_TYPES;
}

static bool skip_strings(struct ggfs_reader *reader, uint64_t count)
{
    uint64_t len;

    for (uint64_t i = 0; i < count; i++) {
        i += ggfs_reader_strings(reader, count - i);
        if (i == count)
            break;
        reader->element = i;
        if (!ggfs_reader_string(reader, ".length", &len))
            return false;
    }
    reader->element = GGFS_READER_NO_ELEMENT;
    return true;
}

/* The innermost arrays: all of their elements at once. */
static bool skip_elements(struct ggfs_reader *reader, uint32_t elem, uint64_t count)
{
    uint64_t bytes;

    if (elem == GGFS_VALUE_STR)
        return skip_strings(reader, count);
    bytes = count * ggfs_value_width(elem); /* held against the file's size by the caller */
    return ggfs_reader_skip(reader, bytes, ".value");
}

/* Element type and count of an array. */
static bool parse_array_head(struct ggfs_reader *reader, uint32_t *elem, uint64_t *count)
{
    uint64_t elem_at = reader->at, count_at, least;

    if (!ggfs_reader_u32(reader, ".elem_type", elem))
        return false;
    if (!is_value_type(*elem))
        return ggfs_reader_fail(reader, elem_at, ".elem_type", "%" PRIu32 ", but 0 to 12 exist",
                                *elem);
    count_at = reader->at;
    if (!ggfs_reader_length(reader, ".count", count))
        return false;
    least = *elem == GGFS_VALUE_STR   ? reader->len_bytes
            : *elem == GGFS_VALUE_ARR ? reader->len_bytes + 4u
                                      : ggfs_value_width(*elem);
    if (*count > ggfs_reader_left(reader) / least)
        return ggfs_reader_fail(reader, count_at, ".count",
                                "%" PRIu64 " elements of at least %" PRIu64
                                " bytes, but only %" PRIu64 " bytes are left in the file",
                                *count, least, ggfs_reader_left(reader));
    return true;
}

/* Everything inside an array of arrays. */
static bool skip_nested(struct ggfs_reader *reader, uint64_t count)
{
    uint64_t left[GGFS_VALUE_DEPTH];
    uint32_t depth = 1, elem;

    left[0] = count;
    while (depth > 0) {
        if (left[depth - 1] == 0) {
            depth--;
            continue;
        }
        left[depth - 1]--;
        if (reader->inner_arrays++ == MOST_INNER_ARRAYS)
            return ggfs_reader_fail(reader, reader->at, ".value",
                                    "more than %" PRIu64 " arrays inside arrays",
                                    MOST_INNER_ARRAYS);
        if (!parse_array_head(reader, &elem, &count))
            return false;
        if (elem != GGFS_VALUE_ARR) {
            if (!skip_elements(reader, elem, count))
                return false;
        } else if (depth == GGFS_VALUE_DEPTH - 1 && count > 0) {
            return ggfs_reader_fail(reader, reader->at, ".value", "arrays nested more than %d deep",
                                    GGFS_VALUE_DEPTH);
        } else {
            left[depth++] = count;
        }
    }
    return true;
}

/* In an array of arrays a fault is one of the value as a whole: its offset is the value's. */
static bool fail_nested(struct ggfs_reader *reader, uint64_t value_at)
{
    struct ggfs_err inner = *reader->err;

    if (inner.kind != GGFS_ERR_FORMAT)
        return false;
    reader->err->kind = GGFS_ERR_NONE;
    reader->element = GGFS_READER_NO_ELEMENT;
    return ggfs_reader_fail(reader, value_at, ".value", "at 0x%" PRIx64 ": %.400s", inner.offset,
                            inner.text);
}

static bool parse_array(struct ggfs_reader *reader, struct ggfs_value *value)
{
    uint64_t value_at = reader->at;
    uint32_t elem = GGFS_VALUE_U8;
    bool ok = parse_array_head(reader, &elem, &value->count);

    value->elem = (uint8_t)elem;
    if (elem == GGFS_VALUE_ARR)
        return (ok && skip_nested(reader, value->count)) || fail_nested(reader, value_at);
    return ok && skip_elements(reader, elem, value->count);
}

/* Bytes between a value's start and the first byte that value.data points to. */
static uint64_t value_prefix(const struct ggfs_value *value)
{
    if (value->type == GGFS_VALUE_STR)
        return value->len_bytes;
    return value->type == GGFS_VALUE_ARR ? 4u + value->len_bytes : 0;
}

static bool parse_value(struct ggfs_reader *reader, struct ggfs_value *value)
{
    uint64_t start = reader->at, len;
    bool ok;

    value->count = 1;
    value->elem = value->type;
    value->len_bytes = reader->len_bytes;
    value->big = reader->big;
    if (value->type == GGFS_VALUE_ARR) {
        ok = parse_array(reader, value);
    } else if (value->type == GGFS_VALUE_STR) {
        ok = ggfs_reader_string(reader, ".value.length", &len);
    } else {
        ok = ggfs_reader_skip(reader, ggfs_value_width(value->type), ".value");
    }
    value->size = ok ? reader->at - start - value_prefix(value) : 0;
    return ok;
}

/* general.alignment, any power of two. Any integer type will do, since nothing else can be meant;
 * what is no integer would leave every tensor's place to a guess. The value is at the cursor. */
static bool parse_alignment(struct ggfs_reader *reader, const struct ggfs_key *key,
                            uint64_t *alignment)
{
    struct ggfs_value value = {.type = key->value.type, .big = reader->big};

    if (!ggfs_value_is_integer(value.type))
        return ggfs_reader_fail(reader, key->type_at, ".type",
                                "%s, but general.alignment is an integer",
                                ggfs_value_type_name(value.type));
    if (!ggfs_reader_need(reader, ggfs_value_width(value.type), ".value"))
        return false;
    value.data = ggfs_reader_cursor(reader);
    return (ggfs_value_as_u64(&value, alignment) && ggfs_num_is_power_of_2(*alignment)) ||
           ggfs_reader_fail(reader, key->value_at, ".value",
                            "general.alignment is %" PRId64 ", not a power of two",
                            (int64_t)*alignment);
}

static bool parse_key(struct ggfs_reader *reader, struct ggfs_key *key, uint64_t *alignment)
{
    bool is_alignment;
    uint64_t len;
    uint32_t type;

    key->at = reader->at;
    if (!ggfs_reader_name(reader, ".key.length", "general.alignment", &len, &is_alignment))
        return false;
    key->name.len = len;
    key->type_at = reader->at;
    if (!ggfs_reader_u32(reader, ".type", &type))
        return false;
    if (!is_value_type(type))
        return ggfs_reader_fail(reader, key->type_at, ".type", "%" PRIu32 ", but 0 to 12 exist",
                                type);
    key->value_at = reader->at;
    key->value.type = (uint8_t)type;
    if (is_alignment && *alignment == 0 && !parse_alignment(reader, key, alignment))
        return false;
    return parse_value(reader, &key->value);
}

static bool parse_keys(struct ggfs_reader *reader, struct header *header, uint64_t n)
{
    reader->item = "kv";
    for (uint64_t i = 0; i < n; i++) {
        struct ggfs_key *key = grow(&header->keys, reader->err);
        reader->index = i;
        if (!key || !parse_key(reader, key, &header->alignment))
            return false;
    }
    return true;
}

static bool parse_dims(struct ggfs_reader *reader, struct ggfs_tensor *tensor)
{
    static const char leaves[GGFS_MAX_DIMS][12] = {".dims[0]", ".dims[1]", ".dims[2]", ".dims[3]"};
    uint64_t at = reader->at;
    uint32_t n_dims;

    if (!ggfs_reader_u32(reader, ".n_dims", &n_dims))
        return false;
    if (n_dims > GGFS_MAX_DIMS)
        return ggfs_reader_fail(reader, at, ".n_dims", "%" PRIu32 ", at most %d", n_dims,
                                GGFS_MAX_DIMS);
    tensor->n_dims = (uint8_t)n_dims;
    for (unsigned i = 0; i < GGFS_MAX_DIMS; i++) {
        tensor->ne[i] = 1;
        if (i < n_dims && !ggfs_reader_length(reader, leaves[i], &tensor->ne[i]))
            return false;
    }
    return true;
}

static bool parse_tensor(struct ggfs_reader *reader, struct ggfs_tensor *tensor)
{
    uint64_t len;

    tensor->at = reader->at;
    if (!ggfs_reader_string(reader, ".name.length", &len))
        return false;
    tensor->name.len = len;
    if (!parse_dims(reader, tensor) || !ggfs_reader_u32(reader, ".type", &tensor->type_id) ||
        !ggfs_reader_u64(reader, ".offset", &tensor->offset))
        return false;
    ggfs_gguf_set_type(tensor, reader->big);
    return true;
}

static bool parse_tensors(struct ggfs_reader *reader, struct header *header, uint64_t n)
{
    reader->item = "tensor";
    for (uint64_t i = 0; i < n; i++) {
        struct ggfs_tensor *tensor = grow(&header->tensors, reader->err);
        reader->index = i;
        if (!tensor || !parse_tensor(reader, tensor))
            return false;
    }
    return true;
}

/* The header has come to rest: names and values get their places in it. */
static void place_slices(struct ggfs_model *model)
{
    const uint8_t *header = model->header;
    uint8_t len_bytes = model->sources[0].len_bytes;

    for (uint32_t i = 0; i < model->n_keys; i++) {
        struct ggfs_key *key = &model->keys[i];
        key->name.ptr = (const char *)header + key->at + len_bytes;
        key->value.data = header + key->value_at + value_prefix(&key->value);
    }
    for (uint32_t i = 0; i < model->n_tensors; i++)
        model->tensors[i].name.ptr = (const char *)header + model->tensors[i].at + len_bytes;
}

/* Offsets become those in the file. Without tensors the data begins where the header ends. */
static void place_tensors(struct ggfs_model *model)
{
    struct ggfs_source *source = &model->sources[0];

    if (model->n_tensors == 0 ||
        !ggfs_num_align(model->header_size, source->alignment, &source->data_at))
        source->data_at = model->header_size;
    for (uint32_t i = 0; i < model->n_tensors; i++) {
        struct ggfs_tensor *tensor = &model->tensors[i];
        if (!ggfs_num_add(tensor->offset, source->data_at, &tensor->offset))
            tensor->offset = GGFS_NO_OFFSET;
    }
}

static bool describe(struct ggfs_model *model, uint32_t version, struct ggfs_err *err)
{
    const struct ggfs_key *key = ggfs_model_key(model, "general.file_type");
    char format[40];
    uint64_t number;

    snprintf(format, sizeof format, "GGUF %" PRIu32 " %s-endian", version,
             model->sources[0].big ? "big" : "little");
    model->format = ggfs_arena_text(&model->arena, ggfs_str_from(format), err);
    if (key && ggfs_value_as_u64(&key->value, &number))
        model->file_type = ggfs_gguf_file_type(number);
    return model->format != NULL;
}

static bool parse_header(struct ggfs_reader *reader, struct header *header)
{
    uint64_t n_tensors, n_keys;

    if (!ggfs_reader_need(reader, 4, "magic"))
        return false;
    reader->at = 4; /* the probe has seen it */
    return parse_version(reader, &header->version) && parse_counts(reader, &n_tensors, &n_keys) &&
           parse_keys(reader, header, n_keys) && parse_tensors(reader, header, n_tensors);
}

/* Walks the header in little memory. What is wrong with it is found here, before anything is built:
 * a file of some bytes and a hole can claim a header of a gigabyte. */
static bool walk(struct ggfs_reader *reader)
{
    struct header header = {.keys = {.item_bytes = sizeof(struct ggfs_key), .reuse = true},
                            .tensors = {.item_bytes = sizeof(struct ggfs_tensor), .reuse = true}};
    bool ok;

    reader->window = true;
    ok = parse_header(reader, &header);
    free(header.keys.items);
    free(header.tensors.items);
    ggfs_reader_restart(reader);
    return ok;
}

static bool parse(struct ggfs_model *model, const struct ggfs_open_options *options,
                  struct ggfs_err *err)
{
    struct header header = {.keys = {.item_bytes = sizeof(struct ggfs_key)},
                            .tensors = {.item_bytes = sizeof(struct ggfs_tensor)}};
    struct ggfs_source *source = &model->sources[0];
    struct ggfs_reader reader;
    bool ok;

    (void)options;
    ggfs_reader_init(&reader, source, err);
    ok = walk(&reader) && parse_header(&reader, &header);
    model->keys = grown(&header.keys);
    model->tensors = grown(&header.tensors);
    model->n_keys = header.keys.n;
    model->n_tensors = header.tensors.n;
    if (!ok) {
        ggfs_reader_drop(&reader);
        return false;
    }
    source->big = reader.big;
    source->len_bytes = reader.len_bytes;
    source->alignment = header.alignment ? header.alignment : DEFAULT_ALIGNMENT;
    model->header = ggfs_reader_finish(&reader, &model->header_size);
    place_slices(model);
    place_tensors(model);
    return describe(model, header.version, err);
}

const struct ggfs_format ggfs_format_gguf = {"GGUF", probe, parse, ggfs_split_join};
