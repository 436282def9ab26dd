/* SPDX-License-Identifier: MIT */
/* kinds.c - kinds.def as an array, and how many of each kind a tree has. */
#include <config.h>

#include "tree/impl.h"

const struct ggfs_content ggfs_content_directory = {NULL, NULL, NULL, NULL, false};


const struct ggfs_kind ggfs_kinds[GGFS_KIND_COUNT] = {
#define K(number, id, parent_, name_, family_, count_, content_, step_) \
    [GGFS_KIND_##id] = {.name = name_,                                  \
                        .parent = GGFS_KIND_##parent_,                  \
                        .family = GGFS_FAMILY_##family_,                \
                        .count = ggfs_count_##count_,                   \
                        .content = &ggfs_content_##content_,            \
                        .step = step_},
#include "tree/kinds.def"
#undef K
};

uint64_t ggfs_count_one(const struct ggfs_tree *tree)
{
    (void)tree;
    return 1;
}

uint64_t ggfs_count_keys(const struct ggfs_tree *tree)
{
    return tree->model->n_keys;
}

uint64_t ggfs_count_tensors(const struct ggfs_tree *tree)
{
    return tree->model->n_tensors;
}

uint64_t ggfs_count_views(const struct ggfs_tree *tree)
{
    return tree->n_views;
}

uint64_t ggfs_count_vocab_folder(const struct ggfs_tree *tree)
{
    return tree->vocab.tokens || tree->vocab.n_templates;
}

uint64_t ggfs_count_vocabulary(const struct ggfs_tree *tree)
{
    return tree->vocab.tokens != NULL;
}

uint64_t ggfs_count_tokens(const struct ggfs_tree *tree)
{
    return tree->vocab.n;
}

uint64_t ggfs_count_merges(const struct ggfs_tree *tree)
{
    return tree->vocab.tokens && tree->vocab.merges;
}

uint64_t ggfs_count_scores(const struct ggfs_tree *tree)
{
    return tree->vocab.tokens && tree->vocab.scores;
}

uint64_t ggfs_count_types(const struct ggfs_tree *tree)
{
    return tree->vocab.tokens && tree->vocab.types;
}

uint64_t ggfs_count_templates(const struct ggfs_tree *tree)
{
    return tree->vocab.n_templates;
}
