/* SPDX-License-Identifier: MIT */
/* index.c - sorting names, counting their bearers, searching by halves. */
#include <config.h>

#include "tree/index.h"

#include "base/mem.h"
#include "tree/names.h"

#include <stdlib.h>

/* No suffix and no repeat mark is longer (`%~4294967295` and `.jinja`): names whose escape leaves
 * this much room are never cut. */
#define MOST_BEHIND_NAME 20

static struct ggfs_str name_of(const struct ggfs_index *index, uint32_t item)
{
    return index->name(index->context, item);
}

static int by_name(const void *a, const void *b, void *context)
{
    const struct ggfs_index *index = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = ggfs_str_compare(name_of(index, x), name_of(index, y));

    return order ? order : (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b)
{
    const struct ggfs_index_hash *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static int by_item(const void *a, const void *b)
{
    const struct ggfs_index_repeat *x = a, *y = b;

    return (x->item > y->item) - (x->item < y->item);
}

static bool same_name(const struct ggfs_index *index, uint32_t position)
{
    return position > 0 && ggfs_str_equal(name_of(index, index->order[position - 1]),
                                          name_of(index, index->order[position]));
}

static bool make_order(struct ggfs_index *index, struct ggfs_err *err)
{
    index->order = ggfs_mem_zero(index->n, sizeof *index->order, err);
    if (!index->order)
        return false;
    for (uint32_t i = 0; i < index->n; i++)
        index->order[i] = i;
    qsort_r(index->order, index->n, sizeof *index->order, by_name, index);
    return true;
}

static bool make_repeats(struct ggfs_index *index, struct ggfs_err *err)
{
    uint32_t n = 0, bearer = 1;

    for (uint32_t i = 0; i < index->n; i++)
        n += same_name(index, i);
    index->repeats = ggfs_mem_zero(n, sizeof *index->repeats, err);
    if (!index->repeats)
        return false;
    for (uint32_t i = 0; i < index->n; i++) {
        bearer = same_name(index, i) ? bearer + 1 : 1;
        if (bearer > 1)
            index->repeats[index->n_repeats++] =
                (struct ggfs_index_repeat){index->order[i], bearer};
    }
    qsort(index->repeats, n, sizeof *index->repeats, by_item);
    return true;
}

static bool may_be_cut(struct ggfs_str name)
{
    return name.len > GGFS_NAMES_MAX ||
           ggfs_names_escaped_length(name) > GGFS_NAMES_MAX - MOST_BEHIND_NAME;
}

/* The hashes are kept: a name may have megabytes. */
static bool make_hashed(struct ggfs_index *index, struct ggfs_err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < index->n; i++)
        n += may_be_cut(name_of(index, i));
    index->hashed = ggfs_mem_zero(n, sizeof *index->hashed, err);
    if (!index->hashed)
        return false;
    for (uint32_t i = 0; i < index->n; i++)
        if (may_be_cut(name_of(index, i)))
            index->hashed[index->n_hashed++] =
                (struct ggfs_index_hash){ggfs_names_hash(name_of(index, i)), i};
    qsort(index->hashed, n, sizeof *index->hashed, by_hash);
    return true;
}

bool ggfs_index_make(struct ggfs_index *index, uint32_t n, ggfs_index_name_fn name,
                     const void *context, struct ggfs_err *err)
{
    *index = (struct ggfs_index){.name = name, .context = context, .n = n};
    if (make_order(index, err) && make_repeats(index, err) && make_hashed(index, err))
        return true;
    ggfs_index_free(index);
    return false;
}

void ggfs_index_free(struct ggfs_index *index)
{
    free(index->order);
    free(index->repeats);
    free(index->hashed);
    *index = (struct ggfs_index){0};
}

uint32_t ggfs_index_repeat(const struct ggfs_index *index, uint32_t item)
{
    struct ggfs_index_repeat wanted = {item, 0}, *found = NULL;

    if (index->n_repeats)
        found = bsearch(&wanted, index->repeats, index->n_repeats, sizeof wanted, by_item);
    return found ? found->repeat : 1;
}

/* The first place in hashed that is not below this one. */
static uint32_t first_hashed(const struct ggfs_index *index, uint64_t hash, uint32_t item)
{
    struct ggfs_index_hash wanted = {hash, item};
    uint32_t low = 0, high = index->n_hashed;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_hash(&index->hashed[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number that a cut name's mark carries. It counts all bearers of the hash, so that two names
 * which collide in it (somebody may have made them so) still differ. Almost always that is the
 * number of bearers of the name. */
static uint32_t cut_repeat(const struct ggfs_index *index, uint32_t item)
{
    uint64_t hash = ggfs_names_hash(name_of(index, item));

    return first_hashed(index, hash, item) - first_hashed(index, hash, 0) + 1;
}

size_t ggfs_index_file(const struct ggfs_index *index, uint32_t item, struct ggfs_str suffix,
                       char out[255])
{
    struct ggfs_str name = name_of(index, item);
    uint32_t repeat = ggfs_index_repeat(index, item);

    if (may_be_cut(name) && ggfs_names_is_long(name, repeat, suffix))
        repeat = cut_repeat(index, item);
    return ggfs_names_file(name, repeat, suffix, out);
}

/* The first place in order whose name is not below this one. */
static uint32_t first_named(const struct ggfs_index *index, struct ggfs_str name)
{
    uint32_t low = 0, high = index->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ggfs_str_compare(name_of(index, index->order[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ggfs_index_find(const struct ggfs_index *index, struct ggfs_str file, struct ggfs_str suffix,
                     uint32_t *item)
{
    struct ggfs_names_parts parts;
    char made[GGFS_NAMES_MAX];
    uint64_t place;

    if (!ggfs_names_parse(file, suffix, &parts))
        return false;
    place = parts.hashed ? first_hashed(index, parts.hash, 0)
                         : first_named(index, (struct ggfs_str){parts.raw, parts.raw_len});
    place += parts.repeat - 1;
    if (place >= (parts.hashed ? index->n_hashed : index->n))
        return false;
    *item = parts.hashed ? index->hashed[place].item : index->order[place];
    return ggfs_str_equal(file,
                          (struct ggfs_str){made, ggfs_index_file(index, *item, suffix, made)});
}
