/* SPDX-License-Identifier: MIT */
/* tree.c - the tree as a whole: attributes and bytes of its nodes, its making and its end. */
#include <config.h>

#include "base/mem.h"
#include "base/num.h"
#include "tree/nodes.h"

#include <stdlib.h>

/* Unit of st_blocks. */
#define BLOCK 512

/* Attributes. */

static uint32_t count_links(const struct ggfs_tree *tree, enum ggfs_kind_number directory)
{
    uint32_t links = 2;

    for (size_t i = 0; i < GGFS_NODE_ROWS; i++)
        if (ggfs_node_is_child((enum ggfs_kind_number)ggfs_node_rows[i], directory) &&
            ggfs_node_is_directory((enum ggfs_kind_number)ggfs_node_rows[i]))
            links += (uint32_t)ggfs_kinds[(enum ggfs_kind_number)ggfs_node_rows[i]].count(tree);
    return links;
}

static bool fill_attr(struct ggfs_tree *tree, struct ggfs_node node, struct ggfs_node_attr *attr,
                      struct ggfs_err *err)
{
    const struct ggfs_content *content = ggfs_kinds[node.kind].content;

    *attr = (struct ggfs_node_attr){.node = ggfs_node_number(node.kind, node.index), .links = 1};
    if (ggfs_node_is_directory(node.kind)) {
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

    if (!ggfs_node_from(tree, number, &node))
        return ggfs_node_fail(number, err);
    return fill_attr(tree, node, attr, err);
}

bool ggfs_tree_attr_ready(struct ggfs_tree *tree, uint64_t number, struct ggfs_node_attr *attr)
{
    const struct ggfs_content *content;
    struct ggfs_node node;

    if (!ggfs_node_from(tree, number, &node))
        return false;
    content = ggfs_kinds[node.kind].content;
    if (content->is_sized && !content->is_sized(tree, node))
        return false;
    return fill_attr(tree, node, attr, NULL);
}

uint64_t ggfs_tree_nodes(const struct ggfs_tree *tree)
{
    uint64_t nodes = 0;

    for (size_t i = 0; i < GGFS_NODE_ROWS; i++)
        nodes += ggfs_kinds[(enum ggfs_kind_number)ggfs_node_rows[i]].count(tree);
    return nodes;
}

uint64_t ggfs_tree_model_bytes(const struct ggfs_tree *tree)
{
    return tree->model_bytes;
}

/* Bytes. */

/* True where a file's bytes from head on are the tensor's, all of them. */
static bool stored_from(const struct ggfs_tree *tree, struct ggfs_node node, uint64_t *head)
{
    *head = 0;
    return node.kind == GGFS_KIND_TENSOR || ggfs_tree_view_stored(tree, node, head);
}

bool ggfs_tree_extent(const struct ggfs_tree *tree, uint64_t number, uint64_t offset, size_t n,
                      struct ggfs_extent *extent)
{
    const struct ggfs_tensor *tensor;
    struct ggfs_node node;
    uint64_t end, head;

    if (!ggfs_node_from(tree, number, &node) || !stored_from(tree, node, &head) || offset < head)
        return false;
    tensor = &tree->model->tensors[node.index];
    if (tensor->joined)
        return false;
    end = ggfs_num_min(tensor->bytes, tensor->room);
    offset -= head;
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
    if (!ggfs_node_from(tree, number, &node))
        return ggfs_node_fail(number, err);
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

    return ggfs_node_from(tree, number, &node) && ggfs_kinds[node.kind].content->reads_model;
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
    for (size_t i = 0; i < GGFS_TEXT_LOCKS; i++)
        pthread_mutex_init(&tree->text_locks[i], NULL);
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
    for (size_t i = 0; i < GGFS_TEXT_LOCKS; i++)
        pthread_mutex_destroy(&tree->text_locks[i]);
    free(tree);
}
