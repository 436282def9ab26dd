/* SPDX-License-Identifier: MIT */
/* text_vocab.c - the texts of vocab/. */
#include <config.h>

#include "tree/impl.h"

#include "base/text.h"

static bool step_array(const struct ggfs_key *key, struct ggfs_text_at *at, struct ggfs_sink *out)
{
    return ggfs_render_value(&at->value, &key->value, GGFS_RENDER_LINES, out);
}

bool ggfs_step_tokens(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                      struct ggfs_sink *out)
{
    (void)index;
    return step_array(tree->vocab.tokens, at, out);
}

bool ggfs_step_merges(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                      struct ggfs_sink *out)
{
    (void)index;
    return step_array(tree->vocab.merges, at, out);
}

bool ggfs_step_id(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                  struct ggfs_sink *out)
{
    (void)tree;
    (void)at;
    ggfs_render_u64(out, index);
    ggfs_sink_byte(out, '\n');
    return false;
}

/* A tab, and element i of a numeric array where there is one. */
static void put_element(const struct ggfs_key *key, uint64_t i, struct ggfs_sink *out)
{
    const struct ggfs_value *value;

    ggfs_sink_byte(out, '\t');
    if (!key || i >= key->value.count)
        return;
    value = &key->value;
    ggfs_render_number(out, value->elem, value->data + i * ggfs_value_width(value->elem),
                       value->big, GGFS_RENDER_LINES);
}

/* The fields of a line before its token. */
static void put_token_fields(const struct ggfs_vocab *vocab, uint64_t id, struct ggfs_sink *out)
{
    ggfs_render_u64(out, id);
    put_element(vocab->types, id, out);
    put_element(vocab->scores, id, out);
    ggfs_sink_byte(out, '\t');
}

/* Units: the header line, each token. */
bool ggfs_step_vocab_tsv(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                         struct ggfs_sink *out)
{
    const struct ggfs_vocab *vocab = &tree->vocab;
    uint64_t id = at->unit - 1;

    (void)index;
    if (at->unit == 0) {
        ggfs_sink_str(out, GGFS_STR("#id\ttype\tscore\ttoken\n"));
        return at->unit++ < vocab->n;
    }
    if (at->part == 0)
        put_token_fields(vocab, id, out);
    at->part = 1;
    if (ggfs_render_text(&at->value, ggfs_vocab_token(vocab, (uint32_t)id), GGFS_RENDER_LINES, out))
        return true;
    ggfs_sink_byte(out, '\n');
    at->part = 0;
    return at->unit++ < vocab->n;
}

/* `  "TOKEN": ID` in pieces. False when it is complete. */
static bool json_token(const struct ggfs_vocab *vocab, uint32_t id, struct ggfs_text_at *at,
                       struct ggfs_sink *out)
{
    if (at->part == 0)
        ggfs_sink_str(out, GGFS_STR("  \""));
    at->part = 1;
    if (ggfs_render_text(&at->value, ggfs_vocab_token(vocab, id), GGFS_RENDER_JSON, out))
        return true;
    ggfs_sink_str(out, GGFS_STR("\": "));
    ggfs_render_u64(out, id);
    ggfs_sink_str(out, id + 1 < vocab->n ? GGFS_STR(",\n") : GGFS_STR("\n"));
    at->part = 0;
    return false;
}

/* Units: the opening brace, each token, the closing one. */
bool ggfs_step_vocab_json(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                          struct ggfs_sink *out)
{
    const struct ggfs_vocab *vocab = &tree->vocab;

    (void)index;
    if (at->unit > vocab->n) {
        ggfs_sink_str(out, GGFS_STR("}\n"));
        return false;
    }
    if (at->unit == 0)
        ggfs_sink_str(out, GGFS_STR("{\n"));
    else if (json_token(vocab, (uint32_t)at->unit - 1, at, out))
        return true;
    at->unit++;
    return true;
}

/* The token that a special key names: empty where its number is no token's. */
static struct ggfs_str special_token(const struct ggfs_vocab *vocab, const struct ggfs_key *key)
{
    uint64_t id;

    if (ggfs_value_as_u64(&key->value, &id) && id < vocab->n)
        return ggfs_vocab_token(vocab, (uint32_t)id);
    return GGFS_STR("");
}

enum { ROLE, TOKEN };

/* `bos 1 <s>` in pieces. False when it is complete. */
static bool special_line(const struct ggfs_tree *tree, const struct ggfs_key *key,
                         struct ggfs_text_at *at, struct ggfs_sink *out)
{
    if (at->part == ROLE) {
        if (ggfs_render_text(&at->value, ggfs_vocab_role(key), GGFS_RENDER_LINES, out))
            return true;
        ggfs_sink_byte(out, '\t');
        ggfs_render_number(out, key->value.type, key->value.data, key->value.big,
                           GGFS_RENDER_LINES);
        ggfs_sink_byte(out, '\t');
    }
    at->part = TOKEN;
    if (ggfs_render_text(&at->value, special_token(&tree->vocab, key), GGFS_RENDER_LINES, out))
        return true;
    ggfs_sink_byte(out, '\n');
    at->part = ROLE;
    return false;
}

/* Units: the header line, each special token. */
bool ggfs_step_special(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                       struct ggfs_sink *out)
{
    const struct ggfs_vocab *vocab = &tree->vocab;

    (void)index;
    if (at->unit == 0)
        ggfs_sink_str(out, GGFS_STR("#role\tid\ttoken\n"));
    else if (special_line(tree, &tree->model->keys[vocab->specials[at->unit - 1]], at, out))
        return true;
    return at->unit++ < vocab->n_specials;
}
