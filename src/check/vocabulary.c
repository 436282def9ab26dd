/* SPDX-License-Identifier: MIT */
/* vocabulary.c - checks of the token arrays, of each by itself and against each other. */
#include <config.h>

#include "base/mem.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                        "%" PRIu64 " elements, but the number of tokens is %" PRIu64,
                        key->value.count, tokens->value.count);
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
                        "token %" PRIu64 ", but the number of tokens is %" PRIu64, id, tokens);
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

/* File offset of an element's bytes (behind a string's length), given the bytes in memory. A
 * vocabulary from before GGUF was put together in memory: its place is all that is known. */
static uint64_t bytes_at(const struct ggfs_model *model, const struct ggfs_key *key,
                         const char *bytes)
{
    if (key->value.len_bytes != model->sources[key->source].len_bytes)
        return key->value_at;
    return count_at(key) + key->value.len_bytes +
           (uint64_t)((const uint8_t *)bytes - key->value.data);
}

/* Elements that are odd in one way, and the first of them. */
struct odd {
    uint64_t n, first, at;
};

static void count_odd(struct odd *odd, uint64_t index, uint64_t at)
{
    if (odd->n++ == 0 || index < odd->first) {
        odd->first = index;
        odd->at = at;
    }
}

static void report_odd(const struct ggfs_report *report, const struct ggfs_key *key,
                       const struct odd *odd, const char *what)
{
    char field[32];

    if (odd->n == 0)
        return;
    snprintf(field, sizeof field, "[%" PRIu64 "]", odd->first);
    ggfs_report_key(report, key, field, odd->at, GGFS_LEVEL_NOTE, "%s: %" PRIu64 " of %" PRIu64,
                    what, odd->n, key->value.count);
}

static bool check_repeats(const struct ggfs_report *report, const struct ggfs_key *tokens,
                          struct ggfs_err *err)
{
    struct odd odd = {0};
    size_t n;
    struct token *list = sorted_tokens(&tokens->value, &n, err);

    if (!list)
        return false;
    for (size_t i = 1; i < n; i++)
        if (ggfs_str_equal(list[i].bytes, list[i - 1].bytes))
            count_odd(&odd, list[i].id, bytes_at(report->model, tokens, list[i].bytes.ptr));
    report_odd(report, tokens, &odd, "tokens that repeat an earlier one");
    free(list);
    return true;
}

static bool is_empty_token(const struct ggfs_value_item *item, bool big)
{
    (void)big;
    return item->bytes.len == 0;
}

/* A merge is two tokens with a blank between; either may begin or end with blanks. */
static bool is_single_merge(const struct ggfs_value_item *item, bool big)
{
    (void)big;
    return item->bytes.len < 3 || !memchr(item->bytes.ptr + 1, ' ', item->bytes.len - 2);
}

static bool is_odd_score(const struct ggfs_value_item *item, bool big)
{
    return isnan(ggfs_value_float((const uint8_t *)item->bytes.ptr, item->type, big));
}

/* 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. */
static bool is_odd_type(const struct ggfs_value_item *item, bool big)
{
    const uint8_t *p = (const uint8_t *)item->bytes.ptr;

    if (ggfs_value_is_unsigned(item->type))
        return ggfs_value_unsigned(p, item->type, big) - 1 > 5;
    return (uint64_t)ggfs_value_signed(p, item->type, big) - 1 > 5;
}

static const struct {
    const char *key;
    enum family family;
    bool (*is_odd)(const struct ggfs_value_item *item, bool big);
    const char *what;
} element_checks[] = {
    {"tokenizer.ggml.tokens", STRINGS, is_empty_token, "empty tokens"},
    {"tokenizer.ggml.scores", FLOATS, is_odd_score, "scores that are NaN"},
    {"tokenizer.ggml.token_type", INTEGERS, is_odd_type, "token types that are not 1 to 6"},
    {"tokenizer.ggml.merges", STRINGS, is_single_merge, "merges that are not two tokens"},
};

/* Findings about elements are one an array. */
static void check_elements(const struct ggfs_report *report, size_t check)
{
    const struct ggfs_key *key = ggfs_model_key(report->model, element_checks[check].key);
    struct ggfs_value_walk walk;
    struct ggfs_value_item item;
    struct odd odd = {0};

    if (!key || key->value.type != GGFS_VALUE_ARR ||
        !belongs(key->value.elem, element_checks[check].family))
        return;
    ggfs_value_walk_start(&walk, &key->value);
    for (;;) {
        ggfs_value_walk_next(&walk, &key->value, &item);
        if (item.step != GGFS_VALUE_SCALAR)
            break;
        if (element_checks[check].is_odd(&item, key->value.big))
            count_odd(&odd, item.index, bytes_at(report->model, key, item.bytes.ptr));
    }
    report_odd(report, key, &odd, element_checks[check].what);
}

/* What the kind of tokenizer needs. */
static void check_model(const struct ggfs_report *report, const struct ggfs_key *tokens)
{
    const struct ggfs_key *key = ggfs_model_key(report->model, "tokenizer.ggml.model");
    struct ggfs_str name = ggfs_model_text(report->model, "tokenizer.ggml.model");

    if (name.len == 0 || ggfs_str_equal(name, GGFS_STR("none")) ||
        ggfs_str_equal(name, GGFS_STR("no_vocab")))
        return;
    if (!tokens)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "a tokenizer, but there is no tokenizer.ggml.tokens");
    if (tokens && ggfs_str_equal(name, GGFS_STR("gpt2")) &&
        !ggfs_model_key(report->model, "tokenizer.ggml.merges"))
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "gpt2, but there is no tokenizer.ggml.merges");
}

static void check_ids(const struct ggfs_report *report, const struct ggfs_key *tokens)
{
    const struct ggfs_model *model = report->model;

    for (uint32_t i = 0; i < model->n_keys; i++)
        if (is_token_id(model->keys[i].name))
            check_id(report, &model->keys[i], tokens->value.count);
}

bool ggfs_check_vocabulary(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_key *tokens = ggfs_model_key(report->model, arrays[0].key);
    bool usable = tokens && tokens->value.type == GGFS_VALUE_ARR;

    check_model(report, tokens);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        check_array(report, &arrays[i], usable ? tokens : NULL);
    for (size_t i = 0; i < sizeof element_checks / sizeof *element_checks; i++)
        check_elements(report, i);
    if (!usable)
        return true;
    check_ids(report, tokens);
    return tokens->value.elem != GGFS_VALUE_STR || check_repeats(report, tokens, err);
}
