/* SPDX-License-Identifier: MIT */
/* texts.c - rendered files: sized once when that is first asked for, read from checkpoints, never
 * kept. */
#include <config.h>

#include "tree/impl.h"

#include "base/mem.h"

#include <stdlib.h>

/* Output between two checkpoints. A read renders at most so much for nothing. */
#define STRIDE (uint64_t)(64 * 1024)

/* A key's value of at most so many bytes is rendered anew whenever its size is asked for: that
 * takes less time than finding where the size was put. */
#define SMALL_VALUE 4096

struct checkpoint {
    uint64_t offset;
    struct ggfs_text_at at;
};

struct ggfs_text {
    uint64_t size;
    struct checkpoint *points; /* ascending; the start of the text is not among them */
    size_t n, room;
};

static void free_text(struct ggfs_text *text)
{
    if (text)
        free(text->points);
    free(text);
}

static bool add_checkpoint(struct ggfs_text *text, uint64_t offset, const struct ggfs_text_at *at,
                           struct ggfs_err *err)
{
    if (text->n == text->room) {
        size_t room = text->room ? text->room * 2 : 4;
        struct checkpoint *points = ggfs_mem_resize(text->points, room * sizeof *points, err);
        if (!points)
            return false;
        text->points = points;
        text->room = room;
    }
    text->points[text->n++] = (struct checkpoint){offset, *at};
    return true;
}

/* Renders the whole text into a sink that counts. */
static struct ggfs_text *size_up(const struct ggfs_tree *tree, struct ggfs_node node,
                                 struct ggfs_err *err)
{
    struct ggfs_text *text = ggfs_mem_zero(1, sizeof *text, err);
    struct ggfs_text_at at = {0};
    struct ggfs_sink out;
    uint64_t next = STRIDE;

    if (!text)
        return NULL;
    ggfs_sink_count(&out);
    while (ggfs_kinds[node.kind].step(tree, node.index, &at, &out)) {
        if (out.total < next)
            continue;
        if (!add_checkpoint(text, out.total, &at, err)) {
            free_text(text);
            return NULL;
        }
        next = out.total + STRIDE;
    }
    text->size = out.total;
    return text;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static _Atomic(struct ggfs_text *) *slot_of(struct ggfs_tree *tree, struct ggfs_node node)
{
    struct ggfs_text_slots *slots = &tree->texts;
    uint32_t key = (uint32_t)node.index, *found;

    if (node.kind != GGFS_KIND_KEY)
        return &slots->single[node.kind];
    if (slots->n_large == 0)
        return NULL;
    found = bsearch(&key, slots->large, slots->n_large, sizeof key, by_number);
    return found ? &slots->of_large[found - slots->large] : NULL;
}

/* Names that some texts show; steps cannot make them, since they run under the other lock. */
static bool make_names(struct ggfs_tree *tree, enum ggfs_kind_number kind, struct ggfs_err *err)
{
    if (kind == GGFS_KIND_METADATA_JSON)
        return ggfs_tree_names(tree, GGFS_FAMILY_KEYS, err) != NULL;
    if (kind == GGFS_KIND_TENSORS_JSON)
        return ggfs_tree_names(tree, GGFS_FAMILY_TENSORS, err) != NULL;
    return true;
}

static pthread_mutex_t *lock_of(struct ggfs_tree *tree, struct ggfs_node node)
{
    return &tree->text_locks[(node.kind + node.index) % GGFS_TEXT_LOCKS];
}

/* The text behind a slot, sized by the first thread that asks; the others wait. */
static const struct ggfs_text *get_text(struct ggfs_tree *tree, struct ggfs_node node,
                                        _Atomic(struct ggfs_text *) *slot, struct ggfs_err *err)
{
    struct ggfs_text *text = atomic_load_explicit(slot, memory_order_acquire);
    pthread_mutex_t *lock;

    if (text || !make_names(tree, node.kind, err))
        return text;
    lock = lock_of(tree, node);
    pthread_mutex_lock(lock);
    text = atomic_load_explicit(slot, memory_order_acquire);
    if (!text) {
        text = size_up(tree, node, err);
        atomic_store_explicit(slot, text, memory_order_release);
    }
    pthread_mutex_unlock(lock);
    return text;
}

/* Renders from `at`, which lies at offset `from`, what falls into the window. */
static size_t render_window(const struct ggfs_tree *tree, struct ggfs_node node,
                            struct ggfs_text_at at, uint64_t from, uint64_t offset, void *dst,
                            size_t n)
{
    struct ggfs_sink out;

    ggfs_sink_window(&out, offset - from, dst, n);
    while (!ggfs_sink_full(&out) && ggfs_kinds[node.kind].step(tree, node.index, &at, &out))
        ;
    return out.got;
}

/* The last checkpoint at or before offset, or NULL. */
static const struct checkpoint *checkpoint_before(const struct ggfs_text *text, uint64_t offset)
{
    size_t low = 0, high = text->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text->points[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &text->points[low - 1] : NULL;
}

static bool text_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                      struct ggfs_err *err)
{
    const struct ggfs_text *text = get_text(tree, node, slot_of(tree, node), err);

    if (!text)
        return false;
    *size = text->size;
    return true;
}

static bool text_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                      size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    const struct ggfs_text *text = get_text(tree, node, slot_of(tree, node), err);
    const struct checkpoint *point;

    (void)scratch;
    if (!text)
        return false;
    point = checkpoint_before(text, offset);
    *got = render_window(tree, node, point ? point->at : (struct ggfs_text_at){0},
                         point ? point->offset : 0, offset, dst, n);
    return true;
}

static bool text_is_sized(struct ggfs_tree *tree, struct ggfs_node node)
{
    return atomic_load_explicit(slot_of(tree, node), memory_order_acquire) != NULL;
}

const struct ggfs_content ggfs_content_text = {
    .size = text_size, .read = text_read, .is_sized = text_is_sized};

static bool small_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                       struct ggfs_err *err)
{
    struct ggfs_text_at at = {0};
    struct ggfs_sink out;

    (void)err;
    ggfs_sink_count(&out);
    while (ggfs_kinds[node.kind].step(tree, node.index, &at, &out))
        ;
    *size = out.total;
    return true;
}

static bool small_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                       size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)scratch;
    (void)err;
    *got = render_window(tree, node, (struct ggfs_text_at){0}, 0, offset, dst, n);
    return true;
}

const struct ggfs_content ggfs_content_small_text = {.size = small_size, .read = small_read};

static bool key_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                     struct ggfs_err *err)
{
    return slot_of(tree, node) ? text_size(tree, node, size, err)
                               : small_size(tree, node, size, err);
}

static bool key_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                     size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    return slot_of(tree, node) ? text_read(tree, node, offset, dst, n, got, scratch, err)
                               : small_read(tree, node, offset, dst, n, got, scratch, err);
}

static bool key_is_sized(struct ggfs_tree *tree, struct ggfs_node node)
{
    return !slot_of(tree, node) || text_is_sized(tree, node);
}

static uint64_t key_stored(const struct ggfs_tree *tree, uint64_t index)
{
    return tree->model->keys[index].value.size;
}

const struct ggfs_content ggfs_content_key_text = {
    .size = key_size, .read = key_read, .is_sized = key_is_sized, .stored = key_stored};

bool ggfs_text_slots_init(struct ggfs_tree *tree, struct ggfs_err *err)
{
    const struct ggfs_model *model = tree->model;
    struct ggfs_text_slots *slots = &tree->texts;
    uint32_t n = 0;

    for (uint32_t i = 0; i < model->n_keys; i++)
        n += model->keys[i].value.size > SMALL_VALUE;
    slots->large = ggfs_mem_zero(n, sizeof *slots->large, err);
    slots->of_large = ggfs_mem_zero(n, sizeof *slots->of_large, err);
    if (!slots->large || !slots->of_large)
        return false;
    for (uint32_t i = 0; i < model->n_keys; i++)
        if (model->keys[i].value.size > SMALL_VALUE)
            slots->large[slots->n_large++] = i;
    return true;
}

void ggfs_text_slots_free(struct ggfs_tree *tree)
{
    struct ggfs_text_slots *slots = &tree->texts;

    for (unsigned i = 0; i < GGFS_KIND_COUNT; i++)
        free_text(atomic_load(&slots->single[i]));
    for (uint32_t i = 0; i < slots->n_large; i++)
        free_text(atomic_load(&slots->of_large[i]));
    free(slots->large);
    free(slots->of_large);
}
