/* SPDX-License-Identifier: MIT */
/* tree.c - nodes by number and name, over the rows of kinds.def. */
#include <config.h>

#include "tree/impl.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "tree/names.h"

#include <stdlib.h>
#include <string.h>

#define KIND_SHIFT 40
#define INDEX_MASK ((UINT64_C(1) << KIND_SHIFT) - 1)
#define BLOCK 512

/* Counts that listings and lookups go through once a call, one for each kind, must be cheap. */

static bool is_directory(enum ggfs_kind_number kind)
{
    return ggfs_kinds[kind].content->size == NULL;
}

static uint64_t number_of(enum ggfs_kind_number kind, uint64_t index)
{
    /* The root's number is FUSE's; its kind is 0, so that no other node can have it. */
    return kind == GGFS_KIND_ROOT ? GGFS_TREE_ROOT : (uint64_t)kind << KIND_SHIFT | index;
}

/* Templates are keys, views are some of the tensors: their indexes are those of the whole. */
static bool has_index(const struct ggfs_tree *tree, enum ggfs_kind_number kind, uint64_t index)
{
    if (ggfs_kinds[kind].count == ggfs_count_views)
        return index < tree->model->n_tensors &&
               ggfs_tree_has_view(&tree->model->tensors[index]);
    return index < ggfs_kinds[kind].count(tree);
}

static bool node_from(const struct ggfs_tree *tree, uint64_t number, struct ggfs_node *node)
{
    uint64_t kind = number >> KIND_SHIFT;

    *node = (struct ggfs_node){GGFS_KIND_ROOT, 0};
    if (number == GGFS_TREE_ROOT)
        return true;
    if (kind == 0 || kind >= GGFS_KIND_COUNT)
        return false;
    *node = (struct ggfs_node){(enum ggfs_kind_number)kind, number & INDEX_MASK};
    return has_index(tree, node->kind, node->index);
}

static bool fail_no_entry(uint64_t number, struct ggfs_err *err)
{
    return ggfs_fail(err, GGFS_ERR_NO_ENTRY, GGFS_NO_OFFSET, NULL, "no node %#llx in the tree",
                     (unsigned long long)number);
}

static bool directory_from(const struct ggfs_tree *tree, uint64_t number, struct ggfs_node *node,
                           struct ggfs_err *err)
{
    if (!node_from(tree, number, node))
        return fail_no_entry(number, err);
    if (!is_directory(node->kind))
        return ggfs_fail(err, GGFS_ERR_NOT_DIR, GGFS_NO_OFFSET, NULL, "not a directory");
    return true;
}

/* Names. */

static struct ggfs_str key_name(const void *context, uint32_t i)
{
    const struct ggfs_tree *tree = context;
    return tree->model->keys[i].name;
}

static struct ggfs_str tensor_name(const void *context, uint32_t i)
{
    const struct ggfs_tree *tree = context;
    return tree->model->tensors[i].name;
}

static struct ggfs_str token_name(const void *context, uint32_t i)
{
    const struct ggfs_tree *tree = context;
    return ggfs_vocab_token(&tree->vocab, i);
}

/* `chat_template`, `chat_template.NAME`: what stands behind the `tokenizer.` of the key. */
static struct ggfs_str template_name(const void *context, uint32_t i)
{
    const struct ggfs_tree *tree = context;
    struct ggfs_str name = tree->model->keys[tree->vocab.templates[i]].name;
    size_t before = sizeof "tokenizer." - 1;

    return (struct ggfs_str){name.ptr + before, name.len - before};
}

static const struct {
    ggfs_index_name_fn name;
    uint64_t (*count)(const struct ggfs_tree *tree);
} families[GGFS_FAMILY_INDEXED] = {
    [GGFS_FAMILY_KEYS] = {key_name, ggfs_count_keys},
    [GGFS_FAMILY_TENSORS] = {tensor_name, ggfs_count_tensors},
    [GGFS_FAMILY_TOKENS] = {token_name, ggfs_count_tokens},
    [GGFS_FAMILY_TEMPLATES] = {template_name, ggfs_count_templates},
};

const struct ggfs_index *ggfs_tree_names(struct ggfs_tree *tree, enum ggfs_family family,
                                         struct ggfs_err *err)
{
    struct ggfs_lazy_index *lazy = &tree->names[family];
    bool ready = atomic_load_explicit(&lazy->ready, memory_order_acquire);

    if (ready)
        return &lazy->index;
    pthread_mutex_lock(&tree->names_lock);
    ready = atomic_load_explicit(&lazy->ready, memory_order_acquire);
    if (!ready) {
        ready = ggfs_index_make(&lazy->index, (uint32_t)families[family].count(tree),
                                families[family].name, tree, err);
        atomic_store_explicit(&lazy->ready, ready, memory_order_release);
    }
    pthread_mutex_unlock(&tree->names_lock);
    return ready ? &lazy->index : NULL;
}

struct ggfs_str ggfs_tree_file_name(const struct ggfs_tree *tree, enum ggfs_family family,
                                    uint32_t item, char out[GGFS_TREE_NAME_MAX])
{
    return (struct ggfs_str){
        out, ggfs_index_file(&tree->names[family].index, item, GGFS_STR(""), out)};
}

static bool find_number(struct ggfs_str name, uint64_t *index)
{
    char digits[GGFS_TEXT_NUMBER];
    uint64_t number = 0;

    if (name.len == 0 || name.len > 10)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] < '0' || name.ptr[i] > '9')
            return false;
        number = number * 10 + (uint64_t)(name.ptr[i] - '0');
    }
    *index = number;
    return ggfs_text_u64(digits, number) == name.len; /* without padding */
}

/* The item of one row that bears name. *found false: none. */
static bool find_in_row(struct ggfs_tree *tree, enum ggfs_kind_number kind, struct ggfs_str name,
                        bool *found, uint64_t *index, struct ggfs_err *err)
{
    const struct ggfs_kind *row = &ggfs_kinds[kind];
    const struct ggfs_index *names;
    uint32_t item = 0;

    *index = 0;
    if (row->family == GGFS_FAMILY_NONE) {
        *found = ggfs_str_equal(name, ggfs_str_from(row->name));
    } else if (row->family == GGFS_FAMILY_NUMBERS) {
        *found = find_number(name, index);
    } else {
        names = ggfs_tree_names(tree, (enum ggfs_family)row->family, err);
        if (!names)
            return false;
        *found = ggfs_index_find(names, name, ggfs_str_from(row->name), &item);
        *index = item;
    }
    *found = *found && has_index(tree, kind, *index);
    return true;
}

static bool is_child(unsigned kind, enum ggfs_kind_number parent)
{
    return kind != GGFS_KIND_ROOT && ggfs_kinds[kind].name && ggfs_kinds[kind].parent == parent;
}

/* Kinds in the order of kinds.def, which is that of listings. */
static const uint8_t row_order[] = {
#define K(number, id, parent, name, family, count, content, step) GGFS_KIND_##id,
#include "tree/kinds.def"
#undef K
};

#define ROWS (sizeof row_order / sizeof *row_order)

bool ggfs_tree_lookup(struct ggfs_tree *tree, uint64_t directory, struct ggfs_str name,
                      uint64_t *number, struct ggfs_err *err)
{
    struct ggfs_node node;
    bool found = false;
    uint64_t index;

    *number = 0;
    if (!directory_from(tree, directory, &node, err))
        return false;
    if (name.len > GGFS_TREE_NAME_MAX)
        return ggfs_fail(err, GGFS_ERR_NAME, GGFS_NO_OFFSET, NULL,
                         "a name of %zu bytes, at most %d", name.len, GGFS_TREE_NAME_MAX);
    for (size_t i = 0; i < ROWS && !found; i++) {
        enum ggfs_kind_number kind = (enum ggfs_kind_number)row_order[i];
        if (!is_child(kind, node.kind))
            continue;
        if (!find_in_row(tree, kind, name, &found, &index, err))
            return false;
        if (found)
            *number = number_of(kind, index);
    }
    return true;
}

static bool put_name(struct ggfs_tree *tree, struct ggfs_node node, struct ggfs_tree_entry *entry,
                     struct ggfs_err *err)
{
    const struct ggfs_kind *row = &ggfs_kinds[node.kind];
    struct ggfs_str suffix = ggfs_str_from(row->name);
    const struct ggfs_index *names;

    if (row->family == GGFS_FAMILY_NONE) {
        memcpy(entry->name, suffix.ptr, suffix.len);
        entry->length = suffix.len;
    } else if (row->family == GGFS_FAMILY_NUMBERS) {
        entry->length = ggfs_text_u64(entry->name, node.index);
    } else {
        names = ggfs_tree_names(tree, (enum ggfs_family)row->family, err);
        if (!names)
            return false;
        entry->length = ggfs_index_file(names, (uint32_t)node.index, suffix, entry->name);
    }
    entry->name[entry->length] = '\0';
    return true;
}

static bool fill_entry(struct ggfs_tree *tree, enum ggfs_kind_number kind, uint64_t place,
                       struct ggfs_tree_entry *entry, struct ggfs_err *err)
{
    bool views = ggfs_kinds[kind].count == ggfs_count_views;
    struct ggfs_node node = {kind, views ? tree->views[place] : place};

    entry->node = number_of(kind, node.index);
    entry->directory = is_directory(kind);
    return put_name(tree, node, entry, err);
}

bool ggfs_tree_entry(struct ggfs_tree *tree, uint64_t directory, uint64_t position,
                     struct ggfs_tree_entry *entry, struct ggfs_err *err)
{
    struct ggfs_node node;

    entry->node = 0;
    if (!directory_from(tree, directory, &node, err))
        return false;
    for (size_t i = 0; i < ROWS; i++) {
        enum ggfs_kind_number kind = (enum ggfs_kind_number)row_order[i];
        uint64_t count;
        if (!is_child(kind, node.kind))
            continue;
        count = ggfs_kinds[kind].count(tree);
        if (position < count)
            return fill_entry(tree, kind, position, entry, err);
        position -= count;
    }
    return true;
}

uint64_t ggfs_tree_parent(const struct ggfs_tree *tree, uint64_t number)
{
    struct ggfs_node node;

    if (!node_from(tree, number, &node))
        return GGFS_TREE_ROOT;
    return number_of((enum ggfs_kind_number)ggfs_kinds[node.kind].parent, 0);
}

/* Attributes. */

static uint32_t count_links(const struct ggfs_tree *tree, enum ggfs_kind_number directory)
{
    uint32_t links = 2;

    for (size_t i = 0; i < ROWS; i++)
        if (is_child(row_order[i], directory) &&
            is_directory((enum ggfs_kind_number)row_order[i]))
            links += (uint32_t)ggfs_kinds[row_order[i]].count(tree);
    return links;
}

static bool fill_attr(struct ggfs_tree *tree, struct ggfs_node node, struct ggfs_node_attr *attr,
                      struct ggfs_err *err)
{
    const struct ggfs_content *content = ggfs_kinds[node.kind].content;

    *attr = (struct ggfs_node_attr){.node = number_of(node.kind, node.index), .links = 1};
    if (is_directory(node.kind)) {
        attr->directory = true;
        attr->links = count_links(tree, node.kind);
        return true;
    }
    if (content->stored)
        attr->blocks = ggfs_num_div_up(content->stored(tree, node.index), BLOCK);
    return content->size(tree, node, &attr->size, err);
}

bool ggfs_tree_attr(struct ggfs_tree *tree, uint64_t number, struct ggfs_node_attr *attr,
                    struct ggfs_err *err)
{
    struct ggfs_node node;

    if (!node_from(tree, number, &node))
        return fail_no_entry(number, err);
    return fill_attr(tree, node, attr, err);
}

bool ggfs_tree_attr_ready(struct ggfs_tree *tree, uint64_t number, struct ggfs_node_attr *attr)
{
    const struct ggfs_content *content;
    struct ggfs_node node;

    if (!node_from(tree, number, &node))
        return false;
    content = ggfs_kinds[node.kind].content;
    if (content->is_sized && !content->is_sized(tree, node))
        return false;
    return fill_attr(tree, node, attr, NULL);
}

uint64_t ggfs_tree_nodes(const struct ggfs_tree *tree)
{
    uint64_t nodes = 0;

    for (size_t i = 0; i < ROWS; i++)
        nodes += ggfs_kinds[row_order[i]].count(tree);
    return nodes;
}

uint64_t ggfs_tree_model_bytes(const struct ggfs_tree *tree)
{
    return tree->model_bytes;
}

/* Bytes. */

bool ggfs_tree_extent(const struct ggfs_tree *tree, uint64_t number, uint64_t offset, size_t n,
                      struct ggfs_extent *extent)
{
    const struct ggfs_tensor *tensor;
    struct ggfs_node node;
    uint64_t end;

    if (!node_from(tree, number, &node) || node.kind != GGFS_KIND_TENSOR)
        return false;
    tensor = &tree->model->tensors[node.index];
    end = ggfs_num_min(tensor->bytes, tensor->room);
    *extent = (struct ggfs_extent){&tree->model->sources[tensor->source], tensor->offset, 0};
    if (offset >= end)
        return true;
    extent->offset += offset;
    extent->n = ggfs_num_min(n, end - offset);
    return true;
}

bool ggfs_tree_read(struct ggfs_tree *tree, uint64_t number, uint64_t offset, void *dst, size_t n,
                    size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    const struct ggfs_content *content;
    struct ggfs_node node;
    uint64_t size;

    *got = 0;
    if (!node_from(tree, number, &node))
        return fail_no_entry(number, err);
    content = ggfs_kinds[node.kind].content;
    if (!content->size)
        return ggfs_fail(err, GGFS_ERR_NO_ENTRY, GGFS_NO_OFFSET, NULL, "a directory");
    if (!content->size(tree, node, &size, err))
        return false;
    if (offset >= size || n == 0)
        return true;
    n = (size_t)ggfs_num_min(n, size - offset);
    return content->read(tree, node, offset, dst, n, got, scratch, err);
}

bool ggfs_tree_reads_model(const struct ggfs_tree *tree, uint64_t number)
{
    struct ggfs_node node;

    return node_from(tree, number, &node) && ggfs_kinds[node.kind].content->reads_model;
}

/* Life. */

static bool list_views(struct ggfs_tree *tree, struct ggfs_err *err)
{
    const struct ggfs_model *model = tree->model;

    tree->views = ggfs_mem_zero(model->n_tensors, sizeof *tree->views, err);
    if (!tree->views)
        return false;
    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_tree_has_view(&model->tensors[i]))
            tree->views[tree->n_views++] = i;
    return true;
}

struct ggfs_tree *ggfs_tree_new(const struct ggfs_model *model, struct ggfs_err *err)
{
    struct ggfs_tree *tree = ggfs_mem_zero(1, sizeof *tree, err);

    if (!tree)
        return NULL;
    tree->model = model;
    pthread_mutex_init(&tree->names_lock, NULL);
    pthread_mutex_init(&tree->text_lock, NULL);
    for (uint32_t i = 0; i < model->n_sources; i++)
        tree->model_bytes += model->sources[i].size;
    if (ggfs_vocab_open(&tree->vocab, model, err) && list_views(tree, err) &&
        ggfs_text_slots_init(tree, err))
        return tree;
    ggfs_tree_free(tree);
    return NULL;
}

void ggfs_tree_free(struct ggfs_tree *tree)
{
    if (!tree)
        return;
    for (unsigned i = 0; i < GGFS_FAMILY_INDEXED; i++)
        ggfs_index_free(&tree->names[i].index);
    ggfs_text_slots_free(tree);
    ggfs_vocab_close(&tree->vocab);
    free(tree->views);
    pthread_mutex_destroy(&tree->names_lock);
    pthread_mutex_destroy(&tree->text_lock);
    free(tree);
}
