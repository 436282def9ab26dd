/* SPDX-License-Identifier: MIT */
/* split.c - finding a model's shards by name, and joining them. llama.cpp's gguf-split writes them:
 * each is a whole GGUF file with the keys split.no (from 0), split.count and split.tensors.count;
 * the file names count from 1. */
#include <config.h>

#include "formats/split.h"

#include "base/mem.h"
#include "base/num.h"
#include "formats/gguf.h"
#include "formats/shard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* File offset of the version, behind the magic. */
#define VERSION_AT 4

/* What the joining goes by. shards[i] is shard i + 1, or NULL where it is missing. */
struct join {
    const struct ggfs_open_options *options;
    struct ggfs_err *err;
    struct ggfs_shard name;
    struct ggfs_model **shards;
    struct ggfs_model *whole; /* the first shard that there is */
};

/* The notes of a finding about one key of a shard. */
static struct ggfs_note note_of(const struct ggfs_key *key, enum ggfs_level level)
{
    return (struct ggfs_note){.check = "split",
                              .offset = key ? key->value_at : GGFS_NO_OFFSET,
                              .source = key ? key->source : 0,
                              .level = level};
}

static bool key_number(const struct ggfs_model *model, const char *name,
                       const struct ggfs_key **key, uint64_t *number)
{
    *key = ggfs_model_key(model, name);
    return *key && ggfs_value_as_u64(&(*key)->value, number);
}

/* A file that is opened by itself, though it may be a shard: says why. */
static bool note_alone(struct ggfs_model *model, bool named, const struct ggfs_shard *name,
                       struct ggfs_err *err)
{
    const struct ggfs_key *key;
    struct ggfs_note note;
    uint64_t count = 0;
    bool is_number = key_number(model, "split.count", &key, &count);

    note = note_of(key, GGFS_LEVEL_WARNING);
    if (key && !is_number)
        return ggfs_model_note(model, &note, err, "split.count is no number: opened by itself");
    if (named && !key)
        return ggfs_model_note(model, &note, err,
                               "named as shard %" PRIu32 " of %" PRIu32
                               ", but it has no split.count: opened by itself",
                               name->number, name->count);
    if (named && count != name->count)
        return ggfs_model_note(model, &note, err,
                               "named as shard %" PRIu32 " of %" PRIu32
                               ", but split.count is %" PRIu64 ": opened by itself",
                               name->number, name->count, count);
    if (!named && key && count != 1)
        return ggfs_model_note(
            model, &note, err,
            "split.count is %" PRIu64
            ", but the file is not named NAME-NNNNN-of-NNNNN.gguf: opened by itself",
            count);
    return true;
}

/* split.tensors.count of a file of one shard, or of all shards together. */
static bool check_total(struct ggfs_model *model, struct ggfs_err *err)
{
    const struct ggfs_key *key;
    struct ggfs_note note;
    uint64_t total;
    bool is_number = key_number(model, "split.tensors.count", &key, &total);

    if (!key || (is_number && total == model->n_tensors))
        return true;
    note = note_of(key, GGFS_LEVEL_WARNING);
    if (!is_number)
        return ggfs_model_note(model, &note, err,
                               "split.tensors.count is no number of tensors; there are %" PRIu32,
                               model->n_tensors);
    return ggfs_model_note(model, &note, err,
                           "split.tensors.count is %" PRIu64 ", but there are %" PRIu32 " tensors",
                           total, model->n_tensors);
}

/* Opens one shard. Missing: *model is NULL, true where that is allowed. */
static bool open_shard(struct join *join, uint32_t number, struct ggfs_model **model)
{
    char *path = ggfs_shard_path(&join->whole->arena, &join->name, number, join->err);
    struct ggfs_err inner;

    *model = NULL;
    if (!path)
        return false;
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        if (join->options->partial)
            return true;
        return ggfs_fail(join->err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL,
                         "shard %" PRIu32 " of %" PRIu32
                         " is missing: no file %s (-o partial opens those that there are)",
                         number, join->name.count, path);
    }
    ggfs_err_init(&inner, path);
    *model = ggfs_formats_open_as(&ggfs_format_gguf, path, join->options, &inner);
    if (!*model && join->err->kind == GGFS_ERR_NONE)
        *join->err = inner;
    return *model != NULL;
}

/* Shards are kept open, one descriptor each. */
static void raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static bool open_shards(struct join *join)
{
    for (uint32_t i = 0; i < join->name.count; i++)
        if (i + 1 != join->name.number && !open_shard(join, i + 1, &join->shards[i]))
            return false;
    return true;
}

static bool count_all(const struct join *join, uint32_t *n_sources, uint32_t *n_tensors)
{
    uint64_t tensors = 0;

    *n_sources = 0;
    for (uint32_t i = 0; i < join->name.count; i++) {
        if (!join->shards[i])
            continue;
        *n_sources += join->shards[i]->n_sources;
        tensors += join->shards[i]->n_tensors;
    }
    *n_tensors = (uint32_t)tensors;
    return tensors < UINT32_MAX;
}

/* A note about shard i + 1, kept in the whole, which has the shard's file as its last so far. */
#define NOTE(join, key, ...)                                                    \
    ggfs_model_note((join)->whole,                                              \
                    &(struct ggfs_note){.check = "split",                       \
                                        .offset = (key)->value_at,              \
                                        .source = (join)->whole->n_sources - 1, \
                                        .level = GGFS_LEVEL_WARNING},           \
                    (join)->err, __VA_ARGS__)

static bool check_numbers(struct join *join, const struct ggfs_model *shard, uint32_t i)
{
    const struct ggfs_key *key;
    uint64_t number;

    if (!key_number(shard, "split.no", &key, &number))
        number = UINT64_MAX;
    if (key && number != i &&
        !NOTE(join, key, "shard %" PRIu32 " of %" PRIu32 " has the number %" PRId64 " in split.no",
              i + 1, join->name.count, (int64_t)number))
        return false;
    if (!key_number(shard, "split.count", &key, &number))
        number = UINT64_MAX;
    return !key || number == join->name.count ||
           NOTE(join, key, "shard %" PRIu32 " of %" PRIu32 " says %" PRId64 " in split.count",
                i + 1, join->name.count, (int64_t)number);
}

static int by_name(const void *a, const void *b)
{
    const struct ggfs_key *x = *(const struct ggfs_key *const *)a;
    const struct ggfs_key *y = *(const struct ggfs_key *const *)b;

    return ggfs_str_compare(x->name, y->name);
}

/* Tools differ in the type that they give a number. */
static bool same_value(const struct ggfs_value *a, const struct ggfs_value *b)
{
    uint64_t x, y;

    if (ggfs_value_as_u64(a, &x) && ggfs_value_as_u64(b, &y))
        return x == y;
    return a->type == b->type && a->elem == b->elem && a->count == b->count && a->big == b->big &&
           a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* check_numbers tells of these. */
static bool is_checked(struct ggfs_str name)
{
    return ggfs_str_equal(name, GGFS_STR("split.no")) ||
           ggfs_str_equal(name, GGFS_STR("split.count"));
}

/* Keys that a shard has as well as the first, with another value. */
static bool check_keys(struct join *join, const struct ggfs_model *shard, uint32_t i,
                       const struct ggfs_key **sorted)
{
    for (uint32_t k = 0; k < shard->n_keys; k++) {
        const struct ggfs_key *key = &shard->keys[k];
        const struct ggfs_key **twin =
            bsearch(&key, sorted, join->whole->n_keys, sizeof *sorted, by_name);
        if (!twin || is_checked(key->name) || same_value(&key->value, &(*twin)->value))
            continue;
        if (!NOTE(join, key, "shard %" PRIu32 " has another value of %.*s than the first", i + 1,
                  (int)ggfs_num_min(key->name.len, 200), key->name.ptr))
            return false;
    }
    return true;
}

static bool add_tensors(struct join *join, const struct ggfs_model *shard, struct ggfs_tensor *to)
{
    for (uint32_t i = 0; i < shard->n_tensors; i++) {
        struct ggfs_str name = shard->tensors[i].name;
        to[i] = shard->tensors[i];
        to[i].source = join->whole->n_sources - 1;
        to[i].name.ptr = ggfs_arena_text(&join->whole->arena, name, join->err);
        if (!to[i].name.ptr)
            return false;
    }
    return true;
}

/* The shard's file becomes the whole's; what else the shard holds can go afterwards. */
static void move_source(struct join *join, struct ggfs_model *shard)
{
    join->whole->sources[join->whole->n_sources++] = shard->sources[0];
    shard->n_sources = 0;
}

/* `format` tells of the first shard alone. */
static bool check_format(struct join *join, const struct ggfs_model *shard, uint32_t i)
{
    const struct ggfs_note note = {.check = "split",
                                   .offset = VERSION_AT,
                                   .source = join->whole->n_sources - 1,
                                   .level = GGFS_LEVEL_WARNING};

    return strcmp(shard->format, join->whole->format) == 0 ||
           ggfs_model_note(join->whole, &note, join->err,
                           "shard %" PRIu32 " of %" PRIu32 " is %s, the first %s", i + 1,
                           join->name.count, shard->format, join->whole->format);
}

static bool add_shard(struct join *join, uint32_t i, const struct ggfs_key **sorted)
{
    struct ggfs_model *whole = join->whole, *shard = join->shards[i];

    if (!shard)
        return ggfs_model_note(
            whole,
            &(struct ggfs_note){
                .check = "split", .offset = GGFS_NO_OFFSET, .level = GGFS_LEVEL_ERROR},
            join->err, "shard %" PRIu32 " of %" PRIu32 " is missing", i + 1, join->name.count);
    if (shard == whole)
        return check_numbers(join, whole, i);
    move_source(join, shard);
    if (!check_format(join, shard, i) || !check_numbers(join, shard, i) ||
        !check_keys(join, shard, i, sorted) ||
        !add_tensors(join, shard, whole->tensors + whole->n_tensors))
        return false;
    whole->n_tensors += shard->n_tensors;
    return true;
}

/* Room for everything in the first shard's lists. */
static bool make_lists(struct join *join)
{
    struct ggfs_model *whole = join->whole;
    struct ggfs_source *sources;
    struct ggfs_tensor *tensors;
    uint32_t n_sources, n_tensors;

    if (!count_all(join, &n_sources, &n_tensors))
        return ggfs_fail(join->err, GGFS_ERR_FORMAT, GGFS_NO_OFFSET, NULL,
                         "its shards have more tensors than 32 bits count");
    sources = ggfs_arena_zero(&whole->arena, n_sources, sizeof *sources, join->err);
    tensors = ggfs_mem_resize(whole->tensors, n_tensors * sizeof *tensors, join->err);
    if (tensors)
        whole->tensors = tensors;
    if (!sources || !tensors)
        return false;
    sources[0] = whole->sources[0];
    whole->sources = sources;
    return true;
}

static bool add_shards(struct join *join)
{
    struct ggfs_model *whole = join->whole;
    const struct ggfs_key **sorted =
        ggfs_mem_zero(whole->n_keys, sizeof(struct ggfs_key *), join->err);
    bool ok = sorted != NULL;

    for (uint32_t k = 0; ok && k < whole->n_keys; k++)
        sorted[k] = &whole->keys[k];
    if (ok)
        qsort(sorted, whole->n_keys, sizeof *sorted, by_name);
    for (uint32_t i = 0; ok && i < join->name.count; i++)
        ok = add_shard(join, i, sorted);
    free(sorted);
    return ok;
}

/* The shard whose metadata counts: the first that there is. Its memory holds the whole. */
static void choose_whole(struct join *join)
{
    uint32_t i = 0;

    while (!join->shards[i])
        i++;
    join->whole = join->shards[i];
}

static bool copy_path(struct join *join, struct ggfs_model *model)
{
    struct ggfs_source *source = &model->sources[0];
    const char *path = ggfs_arena_text(&join->whole->arena, ggfs_str_from(source->path), join->err);

    if (!path)
        return false;
    source->name = path + (source->name - source->path);
    source->path = path;
    return true;
}

/* Paths of shards lie in the memory of the one that was opened first; bring them to the whole's. */
static bool copy_paths(struct join *join)
{
    for (uint32_t i = 0; i < join->name.count; i++)
        if (join->shards[i] && !copy_path(join, join->shards[i]))
            return false;
    return true;
}

static struct ggfs_model *join_all(struct join *join)
{
    bool ok;

    raise_descriptors();
    ok = open_shards(join);
    if (ok) {
        choose_whole(join);
        ok = copy_paths(join) && make_lists(join) && add_shards(join) &&
             check_total(join->whole, join->err);
    }
    for (uint32_t i = 0; i < join->name.count; i++)
        if (!ok || join->shards[i] != join->whole)
            ggfs_model_free(join->shards[i]);
    return ok ? join->whole : NULL;
}

/* The shards that belong to model's file, opened and joined; model is one of them. */
static struct ggfs_model *join_by_name(struct join *join, struct ggfs_model *model)
{
    struct ggfs_model *whole;

    join->shards = ggfs_mem_zero(join->name.count, sizeof *join->shards, join->err);
    if (!join->shards) {
        ggfs_model_free(model);
        return NULL;
    }
    join->whole = model;
    join->shards[join->name.number - 1] = model;
    whole = join_all(join);
    free(join->shards);
    return whole;
}

static bool note_no_split(struct ggfs_model *model, const struct ggfs_key *key,
                          const struct ggfs_shard *name, struct ggfs_err *err)
{
    struct ggfs_note note = note_of(key, GGFS_LEVEL_NOTE);

    return ggfs_model_note(model, &note, err, "shard %" PRIu32 " of %" PRIu32 ", opened by itself",
                           name->number, name->count);
}

struct ggfs_model *ggfs_split_join(struct ggfs_model *model,
                                   const struct ggfs_open_options *options, struct ggfs_err *err)
{
    struct join join = {.options = options, .err = err};
    bool named = ggfs_shard_parse(model->sources[0].path, &join.name), noted;
    const struct ggfs_key *key;
    uint64_t count;
    bool agrees = key_number(model, "split.count", &key, &count) && named && count > 1 &&
                  count == join.name.count;

    if (agrees && !options->no_split)
        return join_by_name(&join, model);
    noted = agrees ? note_no_split(model, key, &join.name, err)
                   : note_alone(model, named, &join.name, err) && check_total(model, err);
    if (noted)
        return model;
    ggfs_model_free(model);
    return NULL;
}
