/* SPDX-License-Identifier: MIT */
/* nodes.c - from numbers to nodes and back. */
#include <config.h>

#include "tree/nodes.h"

#define KIND_SHIFT 40
#define INDEX_MASK ((UINT64_C(1) << KIND_SHIFT) - 1)

const uint8_t ggfs_node_rows[GGFS_NODE_ROWS] = {
#define K(number, id, parent, name, family, count, content, step) GGFS_KIND_##id,
#include "tree/kinds.def"
#undef K
};

bool ggfs_node_is_directory(enum ggfs_kind_number kind)
{
    return ggfs_kinds[kind].content->size == NULL;
}

bool ggfs_node_is_child(enum ggfs_kind_number kind, enum ggfs_kind_number parent)
{
    return kind != GGFS_KIND_ROOT && ggfs_kinds[kind].parent == parent;
}

uint64_t ggfs_node_number(enum ggfs_kind_number kind, uint64_t index)
{
    /* The root's number is FUSE's; its kind is 0, so that no other node can have it. */
    return kind == GGFS_KIND_ROOT ? GGFS_TREE_ROOT : (uint64_t)kind << KIND_SHIFT | index;
}

/* Templates are keys, views are some of the tensors: their indexes are those of the whole. */
bool ggfs_node_exists(const struct ggfs_tree *tree, enum ggfs_kind_number kind, uint64_t index)
{
    if (ggfs_kinds[kind].count == ggfs_count_views)
        return index < tree->model->n_tensors && ggfs_tree_has_view(&tree->model->tensors[index]);
    return index < ggfs_kinds[kind].count(tree);
}

bool ggfs_node_from(const struct ggfs_tree *tree, uint64_t number, struct ggfs_node *node)
{
    uint64_t kind = number >> KIND_SHIFT;

    *node = (struct ggfs_node){GGFS_KIND_ROOT, 0};
    if (number == GGFS_TREE_ROOT)
        return true;
    if (kind == 0 || kind >= GGFS_KIND_COUNT)
        return false;
    *node = (struct ggfs_node){(enum ggfs_kind_number)kind, number & INDEX_MASK};
    return ggfs_node_exists(tree, node->kind, node->index);
}

bool ggfs_node_fail(uint64_t number, struct ggfs_err *err)
{
    return ggfs_fail(err, GGFS_ERR_NO_ENTRY, GGFS_NO_OFFSET, NULL, "no node %#llx in the tree",
                     (unsigned long long)number);
}
