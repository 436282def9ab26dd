/* SPDX-License-Identifier: MIT */
/* legacy_parts.c - the parts of a llama model of March 2023. Each is a whole file with all tensors,
 * of which it holds a share: some columns of tok_embeddings, wo and w2, some rows of the other
 * matrices, all of the vectors. How many there are follows from the width of tok_embeddings. */
#include <config.h>

#include "formats/legacy_parts.h"

#include "base/num.h"
#include "formats/legacy.h"
#include "formats/legacy_build.h"
#include "model/joined.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 65B has 8. */
#define PARTS_MAX 64

struct join {
    const struct ggfs_open_options *options;
    struct ggfs_err *err;
    struct ggfs_model *whole; /* part 0 */
    uint32_t n;
};

static const struct ggfs_tensor *find_tensor(const struct ggfs_model *model, struct ggfs_str name)
{
    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_str_equal(model->tensors[i].name, name))
            return &model->tensors[i];
    return NULL;
}

uint32_t ggfs_legacy_parts(const struct ggfs_model *model, uint32_t n_embd)
{
    const struct ggfs_tensor *tensor = find_tensor(model, GGFS_STR("tok_embeddings.weight"));

    /* ggjt files are whole, whoever wrote them. */
    if (!tensor || model->sources[0].alignment || tensor->ne[0] == 0 || n_embd == 0 ||
        n_embd % tensor->ne[0] != 0 || n_embd / tensor->ne[0] > PARTS_MAX)
        return 1;
    return (uint32_t)(n_embd / tensor->ne[0]);
}

static uint32_t count_parts(const struct ggfs_model *model)
{
    const struct ggfs_key *key = ggfs_model_key(model, "hparams.n_embd");
    uint64_t n_embd;

    if (!ggfs_str_equal(ggfs_model_text(model, "general.architecture"), GGFS_STR("llama")) ||
        !key || !ggfs_value_as_u64(&key->value, &n_embd))
        return 1;
    return ggfs_legacy_parts(model, (uint32_t)n_embd);
}

static bool is_columns(struct ggfs_str name)
{
    return ggfs_str_equal(name, GGFS_STR("tok_embeddings.weight")) ||
           ggfs_str_ends(name, GGFS_STR(".attention.wo.weight")) ||
           ggfs_str_ends(name, GGFS_STR(".feed_forward.w2.weight"));
}

/* A failure that lies in part i. */
static bool fail_part(struct join *join, const struct ggfs_model *part, uint64_t offset,
                      const char *field, const char *what)
{
    ggfs_fail(join->err, GGFS_ERR_FORMAT, offset, field, "%s than in part 0", what);
    snprintf(join->err->file, sizeof join->err->file, "%s", part->sources[0].path);
    return false;
}

static bool same_words(struct join *join, const struct ggfs_model *part)
{
    const struct ggfs_model *whole = join->whole;

    for (uint32_t i = 0; i < whole->n_keys; i++) {
        const struct ggfs_key *key = &whole->keys[i], *twin = &part->keys[i];
        if (i >= part->n_keys || !ggfs_str_equal(key->name, twin->name) ||
            key->value.size != twin->value.size ||
            memcmp(key->value.data, twin->value.data, key->value.size) != 0)
            return fail_part(join, part, i < part->n_keys ? twin->value_at : 0, "hparams",
                             "other words or tokens");
    }
    return true;
}

static bool same_records(struct join *join, const struct ggfs_model *part)
{
    const struct ggfs_model *whole = join->whole;
    char field[32], text[48];

    if (part->n_tensors != whole->n_tensors) {
        snprintf(text, sizeof text, "%" PRIu32 " tensors, %s", part->n_tensors,
                 part->n_tensors < whole->n_tensors ? "less" : "more");
        return fail_part(join, part, GGFS_NO_OFFSET, NULL, text);
    }
    for (uint32_t i = 0; i < whole->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &whole->tensors[i], *twin = &part->tensors[i];
        snprintf(field, sizeof field, "tensor[%" PRIu32 "]", i);
        if (!ggfs_str_equal(tensor->name, twin->name) || tensor->type != twin->type ||
            tensor->n_dims != twin->n_dims || memcmp(tensor->ne, twin->ne, sizeof tensor->ne) != 0)
            return fail_part(join, part, twin->at, field, "another name, type or shape");
    }
    return true;
}

/* Part i of the model, opened and held against part 0. */
static struct ggfs_model *open_part(struct join *join, uint32_t i)
{
    struct ggfs_source *first = &join->whole->sources[0];
    size_t size = strlen(first->path) + 12;
    char *path = ggfs_arena_alloc(&join->whole->arena, size, join->err);
    struct ggfs_model *part;
    struct ggfs_err inner;

    if (!path)
        return NULL;
    snprintf(path, size, "%s.%" PRIu32, first->path, i);
    if (access(path, F_OK) != 0) {
        ggfs_fail(join->err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL,
                  "part %" PRIu32 " of %" PRIu32
                  " is missing: no file %s (-o nosplit opens this part by itself)",
                  i, join->n, path);
        return NULL;
    }
    ggfs_err_init(&inner, path);
    part = ggfs_formats_open_as(&ggfs_format_legacy, path, join->options, &inner);
    if (!part) {
        *join->err = inner;
        return NULL;
    }
    if (same_records(join, part) && same_words(join, part)) {
        part->sources[0].name = path + (part->sources[0].name - part->sources[0].path);
        part->sources[0].path = path;
        return part;
    }
    ggfs_model_free(part);
    return NULL;
}

/* Room for all files in part 0, and for the parts of each matrix. */
static bool make_lists(struct join *join)
{
    struct ggfs_model *whole = join->whole;
    struct ggfs_source *sources =
        ggfs_arena_zero(&whole->arena, join->n, sizeof *sources, join->err);

    if (!sources)
        return false;
    sources[0] = whole->sources[0];
    whole->sources = sources;
    for (uint32_t i = 0; i < whole->n_tensors; i++) {
        struct ggfs_joined *joined;
        if (whole->tensors[i].n_dims < 2)
            continue;
        joined = ggfs_arena_zero(&whole->arena, 1, sizeof *joined, join->err);
        if (!joined)
            return false;
        joined->parts = ggfs_arena_zero(&whole->arena, join->n, sizeof *joined->parts, join->err);
        if (!joined->parts)
            return false;
        joined->n = join->n;
        whole->tensors[i].joined = joined;
    }
    return true;
}

/* Notes that tell of damage hold for the whole. */
static bool take_notes(struct join *join, const struct ggfs_model *part, uint32_t source)
{
    for (const struct ggfs_note *note = part->notes; note; note = note->next) {
        struct ggfs_note copy = *note;
        copy.source = source;
        if (note->level != GGFS_LEVEL_NOTE &&
            !ggfs_model_note(join->whole, &copy, join->err, "part %" PRIu32 ": %s", source,
                             note->text))
            return false;
    }
    return true;
}

/* Where part i of the model has its share of each matrix. part may be the whole itself. */
static void add_places(struct join *join, const struct ggfs_model *part, uint32_t source)
{
    for (uint32_t i = 0; i < join->whole->n_tensors; i++) {
        const struct ggfs_tensor *share = &part->tensors[i];
        struct ggfs_tensor *tensor = &join->whole->tensors[i];
        if (!tensor->joined)
            continue;
        tensor->joined->parts[source] = (struct ggfs_part){share->offset, share->room, source};
        tensor->faults |= share->faults;
    }
}

static bool add_part(struct join *join, uint32_t i)
{
    struct ggfs_model *part = open_part(join, i);
    bool ok;

    if (!part)
        return false;
    add_places(join, part, i);
    ok = take_notes(join, part, i);
    join->whole->sources[join->whole->n_sources++] = part->sources[0];
    part->n_sources = 0;
    ggfs_model_free(part);
    return ok;
}

/* The whole tensor, from what part 0 has of it. */
static bool widen(struct join *join, struct ggfs_tensor *tensor)
{
    const struct ggfs_type_info *type = &ggfs_types[tensor->type];
    struct ggfs_joined *joined = tensor->joined;
    bool columns = is_columns(tensor->name);

    if (tensor->ne[0] % type->block_values != 0)
        return ggfs_fail(join->err, GGFS_ERR_FORMAT, tensor->at + 12, NULL,
                         "parts whose rows are no whole number of blocks cannot be joined");
    joined->how = columns ? GGFS_JOIN_COLUMNS : GGFS_JOIN_ROWS;
    joined->bytes = tensor->bytes;
    joined->row_bytes = tensor->ne[0] / type->block_values * type->block_bytes;
    tensor->ne[columns ? 0 : 1] *= join->n;
    if (!ggfs_num_mul(tensor->bytes, join->n, &tensor->bytes) || tensor->bytes > INT64_MAX ||
        !ggfs_num_mul(tensor->values, join->n, &tensor->values) || tensor->values > INT64_MAX)
        return ggfs_fail(join->err, GGFS_ERR_FORMAT, tensor->at + 12, NULL,
                         "more values or bytes than 63 bits can count");
    tensor->offset = GGFS_NO_OFFSET;
    tensor->room = ggfs_joined_room(joined);
    return true;
}

static bool join_parts(struct join *join)
{
    struct ggfs_model *whole = join->whole;
    const struct ggfs_note note = {.check = "frame", .offset = GGFS_NO_OFFSET};

    if (!make_lists(join))
        return false;
    add_places(join, whole, 0);
    for (uint32_t i = 1; i < join->n; i++)
        if (!add_part(join, i))
            return false;
    for (uint32_t i = 0; i < whole->n_tensors; i++)
        if (whole->tensors[i].joined && !widen(join, &whole->tensors[i]))
            return false;
    return ggfs_model_note(whole, &note, join->err,
                           "%" PRIu32 " parts, joined: their rows or columns are one tensor each",
                           join->n);
}

/* NAME.2 by itself holds some rows and columns only. */
static bool is_later_part(const struct join *join)
{
    const char *path = join->whole->sources[0].path, *dot = strrchr(path, '.');
    char suffix[12];

    for (uint32_t i = 1; dot && i < join->n; i++) {
        snprintf(suffix, sizeof suffix, ".%" PRIu32, i);
        if (strcmp(dot, suffix) == 0)
            return true;
    }
    return false;
}

struct ggfs_model *ggfs_legacy_join(struct ggfs_model *model,
                                    const struct ggfs_open_options *options, struct ggfs_err *err)
{
    struct join join = {.options = options, .err = err, .whole = model, .n = count_parts(model)};
    bool alone = options->no_split || is_later_part(&join);
    const struct ggfs_note note = {
        .check = "frame", .offset = GGFS_NO_OFFSET, .level = GGFS_LEVEL_WARNING};

    if (join.n == 1)
        return model;
    if (alone ? ggfs_model_note(model, &note, err,
                                "one of %" PRIu32 " parts, opened by itself: its matrices are a "
                                "share of the model's",
                                join.n)
              : join_parts(&join))
        return model;
    ggfs_model_free(model);
    return NULL;
}
