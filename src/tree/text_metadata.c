/* SPDX-License-Identifier: MIT */
/* text_metadata.c - metadata/KEY, metadata.json and metadata.tsv. */
#include <config.h>

#include "tree/impl.h"

#include "base/text.h"

bool ggfs_step_key(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                   struct ggfs_sink *out)
{
    return ggfs_render_value(&at->value, &tree->model->keys[index].value, GGFS_RENDER_LINES, out);
}

/* Longer names are shown in pieces of this size. */
#define PIECE 4096

/* Names are shown as they are, but nothing of a name may look like the mark of a repeat: `%~` is
 * escaped as in file names, to `%25~`, and what would look like that, to `%2525~`, and so on. */
static bool looks_like_mark(struct ggfs_str name, size_t at)
{
    if (name.ptr[at++] != '%')
        return false;
    while (at + 1 < name.len && name.ptr[at] == '2' && name.ptr[at + 1] == '5')
        at += 2;
    return at < name.len && name.ptr[at] == '~';
}

/* The next piece of a name. False when that was the last. */
static bool name_piece(struct ggfs_str *rest, struct ggfs_sink *out)
{
    size_t n = 0, most = ggfs_text_piece(*rest, PIECE);
    bool escape = false;

    while (n < most && !escape)
        escape = looks_like_mark(*rest, n++);
    ggfs_text_json(out, (struct ggfs_str){rest->ptr, n});
    if (escape)
        ggfs_sink_str(out, GGFS_STR("25"));
    rest->ptr += n;
    rest->len -= n;
    return rest->len > 0;
}

/* What follows a key's name. The second and later bearer of a name has its mark, so that the
 * document has no key twice. */
static void end_json_key(const struct ggfs_tree *tree, uint32_t index, struct ggfs_sink *out)
{
    uint32_t repeat = ggfs_index_repeat(&tree->names[GGFS_FAMILY_KEYS].index, index);

    if (repeat > 1) {
        ggfs_sink_str(out, GGFS_STR("%~"));
        ggfs_render_u64(out, repeat);
    }
    ggfs_sink_str(out, GGFS_STR("\": "));
}

enum { BEGIN, NAME, VALUE };

/* `  "NAME": VALUE` in pieces. False when it is complete. */
static bool json_member(const struct ggfs_tree *tree, uint32_t index, struct ggfs_text_at *at,
                        struct ggfs_sink *out)
{
    const struct ggfs_key *key = &tree->model->keys[index];

    if (at->part == VALUE)
        return ggfs_render_value(&at->value, &key->value, GGFS_RENDER_JSON, out);
    if (at->part == BEGIN) {
        ggfs_sink_str(out, GGFS_STR("  \""));
        at->value = (struct ggfs_render){.rest = key->name};
    }
    at->part = NAME;
    if (name_piece(&at->value.rest, out))
        return true;
    end_json_key(tree, index, out);
    at->value = (struct ggfs_render){0};
    at->part = VALUE;
    return true;
}

/* Units: the opening brace, each key, the closing one. */
bool ggfs_step_metadata_json(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                             struct ggfs_sink *out)
{
    uint32_t n = tree->model->n_keys, key = (uint32_t)at->unit - 1;

    (void)index;
    if (at->unit == 0) {
        ggfs_sink_str(out, GGFS_STR("{\n"));
        at->unit++;
        return true;
    }
    if (key == n) {
        ggfs_sink_str(out, GGFS_STR("}\n"));
        return false;
    }
    if (json_member(tree, key, at, out))
        return true;
    ggfs_sink_str(out, key + 1 < n ? GGFS_STR(",\n") : GGFS_STR("\n"));
    at->part = BEGIN;
    at->unit++;
    return true;
}

static void put_type(const struct ggfs_value *value, struct ggfs_sink *out)
{
    ggfs_sink_str(out, ggfs_str_from(ggfs_value_type_name(value->type)));
    if (value->type != GGFS_VALUE_ARR)
        return;
    ggfs_sink_byte(out, '[');
    ggfs_sink_str(out, ggfs_str_from(ggfs_value_type_name(value->elem)));
    ggfs_sink_byte(out, ']');
}

#define EXCERPT_CHARACTERS 60

/* The first characters of metadata/KEY without its last newline. */
static void put_excerpt(const struct ggfs_value *value, struct ggfs_sink *out)
{
    struct ggfs_render render = {0};
    struct ggfs_sink window;
    struct ggfs_str text;
    char start[4 * EXCERPT_CHARACTERS + 1]; /* one more, to see whether that was all */
    size_t end = 0;

    ggfs_sink_window(&window, 0, start, sizeof start);
    while (!ggfs_sink_full(&window) &&
           ggfs_render_value(&render, value, GGFS_RENDER_LINES, &window))
        ;
    text = (struct ggfs_str){start, window.got};
    if (window.total == window.got && text.len > 0)
        text.len--;
    for (int i = 0; i < EXCERPT_CHARACTERS && end < text.len; i++) {
        size_t bytes = ggfs_text_utf8(start + end, text.len - end);
        end += bytes ? bytes : 1;
    }
    ggfs_text_escape(out, (struct ggfs_str){start, end});
}

/* Units: the header line, each key. */
bool ggfs_step_metadata_tsv(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                            struct ggfs_sink *out)
{
    const struct ggfs_key *key;

    (void)index;
    if (at->unit == 0) {
        ggfs_sink_str(out, GGFS_STR("#key\ttype\tcount\tvalue\n"));
        at->unit++;
        return tree->model->n_keys > 0;
    }
    key = &tree->model->keys[at->unit - 1];
    if (ggfs_render_text(&at->value, key->name, GGFS_RENDER_LINES, out))
        return true;
    ggfs_sink_byte(out, '\t');
    put_type(&key->value, out);
    ggfs_sink_byte(out, '\t');
    ggfs_render_u64(out, key->value.count);
    ggfs_sink_byte(out, '\t');
    put_excerpt(&key->value, out);
    ggfs_sink_byte(out, '\n');
    return at->unit++ < tree->model->n_keys;
}
