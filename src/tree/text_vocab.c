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

/* Units: the header line, each token. */
bool ggfs_step_vocab_tsv(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                         struct ggfs_sink *out)
{
    const struct ggfs_vocab *vocab = &tree->vocab;
    uint64_t id = at->unit - 1;

    (void)index;
    if (at->unit++ == 0) {
        ggfs_sink_str(out, GGFS_STR("#id\ttype\tscore\ttoken\n"));
        return vocab->n > 0;
    }
    ggfs_render_u64(out, id);
    put_element(vocab->types, id, out);
    put_element(vocab->scores, id, out);
    ggfs_sink_byte(out, '\t');
    ggfs_text_escape(out, ggfs_vocab_token(vocab, (uint32_t)id));
    ggfs_sink_byte(out, '\n');
    return id + 1 < vocab->n;
}

/* Units: the opening brace, each token, the closing one. */
bool ggfs_step_vocab_json(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                          struct ggfs_sink *out)
{
    const struct ggfs_vocab *vocab = &tree->vocab;
    uint64_t id = at->unit - 1;

    (void)index;
    if (at->unit++ == 0) {
        ggfs_sink_str(out, GGFS_STR("{\n"));
        return true;
    }
    if (id == vocab->n) {
        ggfs_sink_str(out, GGFS_STR("}\n"));
        return false;
    }
    ggfs_sink_str(out, GGFS_STR("  "));
    ggfs_text_json_string(out, ggfs_vocab_token(vocab, (uint32_t)id));
    ggfs_sink_str(out, GGFS_STR(": "));
    ggfs_render_u64(out, id);
    ggfs_sink_str(out, id + 1 < vocab->n ? GGFS_STR(",\n") : GGFS_STR("\n"));
    return true;
}

/* `bos 1 <s>`; a number that is no token's keeps its line, with an empty field. */
static void put_special(const struct ggfs_tree *tree, uint32_t i, struct ggfs_sink *out)
{
    const struct ggfs_key *key = &tree->model->keys[tree->vocab.specials[i]];
    uint64_t id;

    ggfs_text_escape(out, ggfs_vocab_role(key));
    ggfs_sink_byte(out, '\t');
    ggfs_render_number(out, key->value.type, key->value.data, key->value.big, GGFS_RENDER_LINES);
    ggfs_sink_byte(out, '\t');
    if (ggfs_value_as_u64(&key->value, &id) && id < tree->vocab.n)
        ggfs_text_escape(out, ggfs_vocab_token(&tree->vocab, (uint32_t)id));
    ggfs_sink_byte(out, '\n');
}

/* Units: the header line, each special token. */
bool ggfs_step_special(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                       struct ggfs_sink *out)
{
    (void)index;
    if (at->unit++ == 0)
        ggfs_sink_str(out, GGFS_STR("#role\tid\ttoken\n"));
    else
        put_special(tree, (uint32_t)at->unit - 2, out);
    return at->unit <= tree->vocab.n_specials;
}
