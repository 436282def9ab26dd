/* SPDX-License-Identifier: MIT */
/* vocabulary.c - checks of the token arrays, of each by itself and against each other. */
#include <config.h>

#include "base/mem.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stdlib.h>

/* What an array's elements may be. */
enum family { STRINGS, FLOATS, INTEGERS };

static const struct array {
    const char *key;
    enum family family;
    bool per_token; /* as many elements as there are tokens */
} arrays[] = {
    {"tokenizer.ggml.tokens", STRINGS, false},
    {"tokenizer.ggml.scores", FLOATS, true},
    {"tokenizer.ggml.token_type", INTEGERS, true},
    {"tokenizer.ggml.merges", STRINGS, false},
};

static const char *const family_names[] = {
    [STRINGS] = "strings", [FLOATS] = "floats", [INTEGERS] = "integers"};

static bool belongs(unsigned type, enum family family)
{
    if (family == STRINGS)
        return type == GGFS_VALUE_STR;
    if (family == FLOATS)
        return type == GGFS_VALUE_F32 || type == GGFS_VALUE_F64;
    return ggfs_value_is_integer(type);
}

/* Offsets of an array's element type and count: behind its type word. */
static uint64_t elem_at(const struct ggfs_key *key)
{
    return key->type_at + 4;
}

static uint64_t count_at(const struct ggfs_key *key)
{
    return key->type_at + 8;
}

static void check_array(const struct ggfs_report *report, const struct array *array,
                        const struct ggfs_key *tokens)
{
    const struct ggfs_key *key = ggfs_model_key(report->model, array->key);
    const char *wanted = family_names[array->family];

    if (!key)
        return;
    if (key->value.type != GGFS_VALUE_ARR)
        ggfs_report_key(report, key, "type", key->type_at, GGFS_LEVEL_WARNING,
                        "%s, must be an array of %s", ggfs_value_type_name(key->value.type),
                        wanted);
    else if (!belongs(key->value.elem, array->family))
        ggfs_report_key(report, key, "elem_type", elem_at(key), GGFS_LEVEL_WARNING,
                        "an array of %s, must be one of %s", ggfs_value_type_name(key->value.elem),
                        wanted);
    if (key->value.type == GGFS_VALUE_ARR && array->per_token && tokens &&
        key->value.count != tokens->value.count)
        ggfs_report_key(report, key, "count", count_at(key), GGFS_LEVEL_WARNING,
                        "%" PRIu64 " elements for %" PRIu64 " tokens", key->value.count,
                        tokens->value.count);
}

static bool is_token_id(struct ggfs_str name)
{
    return ggfs_str_starts(name, GGFS_STR("tokenizer.ggml.")) &&
           ggfs_str_ends(name, GGFS_STR("_token_id"));
}

static void check_id(const struct ggfs_report *report, const struct ggfs_key *key, uint64_t tokens)
{
    uint64_t id;

    if (!ggfs_value_is_integer(key->value.type))
        ggfs_report_key(report, key, "type", key->type_at, GGFS_LEVEL_WARNING,
                        "%s, must be an integer", ggfs_value_type_name(key->value.type));
    else if (!ggfs_value_as_u64(&key->value, &id))
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "a negative token id");
    else if (id >= tokens)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "token %" PRIu64 " of %" PRIu64, id, tokens);
}

struct token {
    struct ggfs_str bytes;
    uint64_t id;
};

static int by_bytes(const void *a, const void *b)
{
    const struct token *x = a, *y = b;
    int order = ggfs_str_compare(x->bytes, y->bytes);

    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* The tokens in byte order. NULL without memory. */
static struct token *sorted_tokens(const struct ggfs_value *value, size_t *n, struct ggfs_err *err)
{
    struct token *list;
    struct ggfs_value_walk walk;
    struct ggfs_value_item item;

    *n = 0;
    list = ggfs_mem_zero((size_t)value->count, sizeof *list, err);
    if (!list)
        return NULL;
    ggfs_value_walk_start(&walk, value);
    for (;;) {
        ggfs_value_walk_next(&walk, value, &item);
        if (item.step != GGFS_VALUE_SCALAR)
            break;
        list[(*n)++] = (struct token){item.bytes, item.index};
    }
    qsort(list, *n, sizeof *list, by_bytes);
    return list;
}

static bool check_repeats(const struct ggfs_report *report, const struct ggfs_key *tokens,
                          struct ggfs_err *err)
{
    uint64_t repeats = 0, lowest = UINT64_MAX;
    size_t n;
    struct token *list = sorted_tokens(&tokens->value, &n, err);

    if (!list)
        return false;
    for (size_t i = 1; i < n; i++) {
        if (!ggfs_str_equal(list[i].bytes, list[i - 1].bytes))
            continue;
        repeats++;
        if (list[i].id < lowest)
            lowest = list[i].id;
    }
    if (repeats)
        ggfs_report_key(report, tokens, "value", tokens->value_at, GGFS_LEVEL_NOTE,
                        "%" PRIu64 " tokens repeat an earlier one, the first of them is %" PRIu64,
                        repeats, lowest);
    free(list);
    return true;
}

bool ggfs_check_vocabulary(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    const struct ggfs_key *tokens = ggfs_model_key(model, arrays[0].key);
    bool usable = tokens && tokens->value.type == GGFS_VALUE_ARR;

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        check_array(report, &arrays[i], usable ? tokens : NULL);
    if (!usable)
        return true;
    for (uint32_t i = 0; i < model->n_keys; i++)
        if (is_token_id(model->keys[i].name))
            check_id(report, &model->keys[i], tokens->value.count);
    return tokens->value.elem != GGFS_VALUE_STR || check_repeats(report, tokens, err);
}
