/* SPDX-License-Identifier: MIT */
/* families.c - whose names the entries of a set bear: keys, tensors, tokens, templates; sorted when
 * they are first asked for. */
#include <config.h>

#include "tree/impl.h"

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
    return (struct ggfs_str){out,
                             ggfs_index_file(&tree->names[family].index, item, GGFS_STR(""), out)};
}
