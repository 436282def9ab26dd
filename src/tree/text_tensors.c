/* SPDX-License-Identifier: MIT */
/* text_tensors.c - tensors.tsv and tensors.json. */
#include <config.h>

#include "tree/impl.h"

#include "base/text.h"
#include "model/joined.h"

/* ne reversed, as NumPy has it: `11008x4096`, `[11008,4096]`. */
static void put_dims(const struct ggfs_tensor *tensor, bool reversed, char between,
                     struct ggfs_sink *out)
{
    for (unsigned i = 0; i < tensor->n_dims; i++) {
        if (i > 0)
            ggfs_sink_byte(out, between);
        ggfs_render_u64(out, tensor->ne[reversed ? tensor->n_dims - 1 - i : i]);
    }
}

/* What follows the name on a line. */
static void put_tsv_fields(const struct ggfs_tensor *tensor, struct ggfs_sink *out)
{
    char type[16];

    ggfs_sink_byte(out, '\t');
    ggfs_sink_str(out, ggfs_str_from(ggfs_tensor_type_name(tensor, type)));
    ggfs_sink_byte(out, '\t');
    if (tensor->n_dims == 0)
        ggfs_sink_byte(out, '-');
    put_dims(tensor, true, 'x', out);
    ggfs_sink_byte(out, '\t');
    ggfs_render_u64(out, tensor->bytes);
    ggfs_sink_byte(out, '\n');
}

/* Units: the header line, each tensor. */
bool ggfs_step_tensors_tsv(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                           struct ggfs_sink *out)
{
    const struct ggfs_tensor *tensor;

    (void)index;
    if (at->unit == 0) {
        ggfs_sink_str(out, GGFS_STR("#name\ttype\tshape\tbytes\n"));
    } else {
        tensor = &tree->model->tensors[at->unit - 1];
        if (ggfs_render_text(&at->value, tensor->name, GGFS_RENDER_LINES, out))
            return true;
        put_tsv_fields(tensor, out);
    }
    return at->unit++ < tree->model->n_tensors;
}

static void put_string_member(const char *name, struct ggfs_str value, struct ggfs_sink *out)
{
    ggfs_text_json_string(out, ggfs_str_from(name));
    ggfs_sink_byte(out, ':');
    ggfs_text_json_string(out, value);
}

static void put_number_member(const char *name, uint64_t value, struct ggfs_sink *out)
{
    ggfs_text_json_string(out, ggfs_str_from(name));
    ggfs_sink_byte(out, ':');
    ggfs_render_u64(out, value);
}

static void put_dims_member(const char *name, const struct ggfs_tensor *tensor, bool reversed,
                            struct ggfs_sink *out)
{
    ggfs_text_json_string(out, ggfs_str_from(name));
    ggfs_sink_str(out, GGFS_STR(":["));
    put_dims(tensor, reversed, ',', out);
    ggfs_sink_byte(out, ']');
}

/* `"block":[32,18]`, or null for a type that nobody knows. */
static void put_block(const struct ggfs_tensor *tensor, struct ggfs_sink *out)
{
    const struct ggfs_type_info *type = &ggfs_types[tensor->type];

    ggfs_sink_str(out, GGFS_STR("\"block\":"));
    if (tensor->type == GGFS_TYPE_NONE) {
        ggfs_sink_str(out, GGFS_STR("null"));
        return;
    }
    ggfs_sink_byte(out, '[');
    ggfs_render_u64(out, type->block_values);
    ggfs_sink_byte(out, ',');
    ggfs_render_u64(out, type->block_bytes);
    ggfs_sink_byte(out, ']');
}

static void put_offset(const struct ggfs_tensor *tensor, struct ggfs_sink *out)
{
    ggfs_sink_str(out, GGFS_STR("\"offset\":"));
    if (tensor->offset == GGFS_NO_OFFSET || tensor->joined)
        ggfs_sink_str(out, GGFS_STR("null"));
    else
        ggfs_render_u64(out, tensor->offset);
}

/* `"parts":[{"file":…,"offset":…,"bytes":…},…]`, empty for what lies in one file. */
static void put_parts(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                      struct ggfs_sink *out)
{
    const struct ggfs_joined *joined = tensor->joined;

    ggfs_sink_str(out, GGFS_STR("\"parts\":["));
    for (uint32_t i = 0; joined && i < joined->n; i++) {
        const struct ggfs_part *part = &joined->parts[i];
        ggfs_sink_str(out, i ? GGFS_STR(",{") : GGFS_STR("{"));
        put_string_member("file", ggfs_str_from(model->sources[part->source].name), out);
        ggfs_sink_byte(out, ',');
        put_number_member("offset", part->offset, out);
        ggfs_sink_byte(out, ',');
        put_number_member("bytes", joined->bytes, out);
        ggfs_sink_byte(out, '}');
    }
    ggfs_sink_byte(out, ']');
}

/* The notes of one tensor, and how many there are already. */
static void put_note(const char *text, unsigned *n, struct ggfs_sink *out)
{
    if ((*n)++ > 0)
        ggfs_sink_byte(out, ',');
    ggfs_text_json_string(out, ggfs_str_from(text));
}

static void put_tensor_notes(const struct ggfs_tensor *tensor, struct ggfs_sink *out)
{
    unsigned n = 0;

    ggfs_sink_str(out, GGFS_STR("\"notes\":["));
    for (unsigned i = 0; i < GGFS_FAULT_COUNT; i++)
        if (tensor->faults >> i & 1)
            put_note(ggfs_faults[i].text, &n, out);
    if (tensor->type != GGFS_TYPE_NONE && !ggfs_decode_has_kernel(tensor))
        put_note("no view: this version of ggfs has no decoder for the type", &n, out);
    else if (!ggfs_tree_has_view(tensor) && !ggfs_tensor_hidden(tensor))
        put_note("no view: it would be larger than a file can be", &n, out);
    ggfs_sink_byte(out, ']');
}

/* What follows the name of a tensor. */
static void put_members(const struct ggfs_tree *tree, uint32_t index, struct ggfs_sink *out)
{
    const struct ggfs_tensor *tensor = &tree->model->tensors[index];
    char type[16], path[GGFS_TREE_NAME_MAX];

    ggfs_sink_str(out, GGFS_STR("\",\"path\":\"tensors/"));
    ggfs_text_json(out, ggfs_tree_file_name(tree, GGFS_FAMILY_TENSORS, index, path));
    ggfs_sink_str(out, GGFS_STR("\","));
    put_string_member("type", ggfs_str_from(ggfs_tensor_type_name(tensor, type)), out);
    ggfs_sink_byte(out, ',');
    put_number_member("type_id", tensor->type_id, out);
    ggfs_sink_byte(out, ',');
    put_dims_member("shape", tensor, true, out);
    ggfs_sink_byte(out, ',');
    put_dims_member("ne", tensor, false, out);
    ggfs_sink_byte(out, ',');
    put_number_member("bytes", tensor->bytes, out);
    ggfs_sink_byte(out, ',');
    put_block(tensor, out);
    ggfs_sink_byte(out, ',');
    put_string_member("file", ggfs_str_from(tree->model->sources[tensor->source].name), out);
    ggfs_sink_byte(out, ',');
    put_offset(tensor, out);
    ggfs_sink_byte(out, ',');
    put_parts(tree->model, tensor, out);
    ggfs_sink_byte(out, ',');
    put_tensor_notes(tensor, out);
    ggfs_sink_byte(out, '}');
}

/* One tensor in pieces. False when it is complete. */
static bool json_tensor(const struct ggfs_tree *tree, uint32_t index, struct ggfs_text_at *at,
                        struct ggfs_sink *out)
{
    if (at->part == 0)
        ggfs_sink_str(out, index ? GGFS_STR(",{\"name\":\"") : GGFS_STR("{\"name\":\""));
    at->part = 1;
    if (ggfs_render_text(&at->value, tree->model->tensors[index].name, GGFS_RENDER_JSON, out))
        return true;
    put_members(tree, index, out);
    at->part = 0;
    return false;
}

static void put_head(const struct ggfs_tree *tree, struct ggfs_sink *out)
{
    unsigned n = 0;

    ggfs_sink_str(out, GGFS_STR("{\n  \"format\": "));
    ggfs_text_json_string(out, ggfs_str_from(tree->model->format));
    ggfs_sink_str(out, GGFS_STR(",\n  \"notes\": ["));
    for (const struct ggfs_note *note = tree->model->notes; note; note = note->next)
        put_note(note->text, &n, out);
    ggfs_sink_str(out, GGFS_STR("],\n  \"tensors\": ["));
}

/* Units: what stands before the tensors, each tensor, what stands behind. */
bool ggfs_step_tensors_json(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                            struct ggfs_sink *out)
{
    (void)index;
    if (at->unit > tree->model->n_tensors) {
        ggfs_sink_str(out, GGFS_STR("]\n}\n"));
        return false;
    }
    if (at->unit == 0)
        put_head(tree, out);
    else if (json_tensor(tree, (uint32_t)at->unit - 1, at, out))
        return true;
    at->unit++;
    return true;
}
