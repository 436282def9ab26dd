/* SPDX-License-Identifier: MIT */
/* vocab.c - finding tokens, scores, templates and special tokens by the names that GGUF gives. */
#include <config.h>

#include "model/vocab.h"

#include "base/mem.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

static bool is_number(unsigned type)
{
    return ggfs_value_is_integer(type) || type == GGFS_VALUE_F32 || type == GGFS_VALUE_F64;
}

static bool is_strings(const struct ggfs_value *value)
{
    /* An empty array is one of strings whatever type it names. */
    return value->type == GGFS_VALUE_ARR && (value->elem == GGFS_VALUE_STR || value->count == 0);
}

static bool is_numbers(const struct ggfs_value *value)
{
    return value->type == GGFS_VALUE_ARR && is_number(value->elem);
}

static const struct ggfs_key *find(const struct ggfs_model *model, const char *name,
                                   bool (*fits)(const struct ggfs_value *))
{
    const struct ggfs_key *key = ggfs_model_key(model, name);

    return key && fits(&key->value) ? key : NULL;
}

static bool is_template(const struct ggfs_key *key)
{
    struct ggfs_str name = GGFS_STR("tokenizer.chat_template");

    if (key->value.type != GGFS_VALUE_STR)
        return false;
    return ggfs_str_equal(key->name, name) ||
           ggfs_str_starts(key->name, GGFS_STR("tokenizer.chat_template."));
}

#define ROLE_BEFORE GGFS_STR("tokenizer.ggml.")
#define ROLE_BEHIND GGFS_STR("_token_id")

static bool is_special(const struct ggfs_key *key)
{
    return ggfs_value_is_integer(key->value.type) && ggfs_str_starts(key->name, ROLE_BEFORE) &&
           ggfs_str_ends(key->name, ROLE_BEHIND) &&
           key->name.len > ROLE_BEFORE.len + ROLE_BEHIND.len;
}

struct ggfs_str ggfs_vocab_role(const struct ggfs_key *key)
{
    /* The keys spell these out (the first with a misprint); every program says the short word. */
    static const struct {
        struct ggfs_str word, role;
    } roles[] = {
        {{"seperator", 9}, {"sep", 3}},
        {{"separator", 9}, {"sep", 3}},
        {{"padding", 7}, {"pad", 3}},
        {{"unknown", 7}, {"unk", 3}},
    };
    struct ggfs_str word = {key->name.ptr + ROLE_BEFORE.len,
                            key->name.len - ROLE_BEFORE.len - ROLE_BEHIND.len};

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (ggfs_str_equal(word, roles[i].word))
            return roles[i].role;
    return word;
}

/* Indexes of the keys that fit, the first `most` in file order. */
static bool collect(const struct ggfs_model *model, bool (*fits)(const struct ggfs_key *),
                    uint32_t most, uint32_t **list, uint32_t *n, struct ggfs_err *err)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < model->n_keys && found < most; i++)
        found += fits(&model->keys[i]);
    *n = 0;
    *list = ggfs_mem_zero(found, sizeof **list, err);
    if (!*list)
        return false;
    for (uint32_t i = 0; i < model->n_keys && *n < found; i++)
        if (fits(&model->keys[i]))
            (*list)[(*n)++] = i;
    return true;
}

static bool place_tokens(struct ggfs_vocab *vocab, struct ggfs_err *err)
{
    const struct ggfs_value *value = &vocab->tokens->value;
    struct ggfs_value_walk walk;
    struct ggfs_value_item item;

    /* A header has at most 2^30 bytes, so 32 bits do for counts and places. */
    vocab->n = (uint32_t)value->count;
    vocab->places = ggfs_mem_zero(vocab->n, sizeof *vocab->places, err);
    if (!vocab->places)
        return false;
    ggfs_value_walk_start(&walk, value);
    for (uint32_t id = 0; id < vocab->n; id++) {
        vocab->places[id] = (uint32_t)walk.at;
        ggfs_value_walk_next(&walk, value, &item);
    }
    return true;
}

bool ggfs_vocab_open(struct ggfs_vocab *vocab, const struct ggfs_model *model,
                     struct ggfs_err *err)
{
    *vocab = (struct ggfs_vocab){
        .tokens = find(model, "tokenizer.ggml.tokens", is_strings),
        .scores = find(model, "tokenizer.ggml.scores", is_numbers),
        .types = find(model, "tokenizer.ggml.token_type", is_numbers),
        .merges = find(model, "tokenizer.ggml.merges", is_strings),
    };
    if (collect(model, is_template, UINT32_MAX, &vocab->templates, &vocab->n_templates, err) &&
        collect(model, is_special, GGFS_VOCAB_SPECIALS, &vocab->specials, &vocab->n_specials,
                err) &&
        (!vocab->tokens || place_tokens(vocab, err)))
        return true;
    ggfs_vocab_close(vocab);
    return false;
}

void ggfs_vocab_close(struct ggfs_vocab *vocab)
{
    free(vocab->places);
    free(vocab->templates);
    free(vocab->specials);
    *vocab = (struct ggfs_vocab){0};
}

struct ggfs_str ggfs_vocab_token(const struct ggfs_vocab *vocab, uint32_t id)
{
    const struct ggfs_value *value = &vocab->tokens->value;
    const uint8_t *p = value->data + vocab->places[id];
    uint64_t len =
        value->len_bytes == 4 ? ggfs_num_u32(p, value->big) : ggfs_num_u64(p, value->big);

    return (struct ggfs_str){(const char *)p + value->len_bytes, (size_t)len};
}

static const uint8_t *number_at(const struct ggfs_key *key, uint64_t index)
{
    return key->value.data + index * ggfs_value_width(key->value.elem);
}

static double as_double(const struct ggfs_key *key, uint64_t index)
{
    const struct ggfs_value *value = &key->value;
    const uint8_t *p = number_at(key, index);

    if (!ggfs_value_is_integer(value->elem))
        return ggfs_value_float(p, value->elem, value->big);
    if (ggfs_value_is_unsigned(value->elem))
        return (double)ggfs_value_unsigned(p, value->elem, value->big);
    return (double)ggfs_value_signed(p, value->elem, value->big);
}

float ggfs_vocab_f32(const struct ggfs_key *key, uint64_t index)
{
    const struct ggfs_value *value = &key->value;

    /* By way of a double the large ones would be rounded twice. */
    if (value->elem == GGFS_VALUE_U64)
        return (float)ggfs_value_unsigned(number_at(key, index), value->elem, value->big);
    if (value->elem == GGFS_VALUE_I64)
        return (float)ggfs_value_signed(number_at(key, index), value->elem, value->big);
    return (float)as_double(key, index);
}

int32_t ggfs_vocab_i32(const struct ggfs_key *key, uint64_t index)
{
    double number = as_double(key, index);

    if (isnan(number))
        return 0;
    if (number >= INT32_MAX)
        return INT32_MAX;
    return number <= INT32_MIN ? INT32_MIN : (int32_t)number;
}
