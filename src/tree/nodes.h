/* SPDX-License-Identifier: MIT */
/* nodes.h - node numbers, and the rows of kinds.def that they stand for. */
#ifndef GGFS_TREE_NODES_H
#define GGFS_TREE_NODES_H

#include "tree/impl.h"

/* How many rows kinds.def has. */
enum {
    GGFS_NODE_ROWS = 0
#define K(number, id, parent, name, family, count, content, step) +1
#include "tree/kinds.def"
#undef K
};

/* Kinds in the order of kinds.def, which is that of listings. */
extern const uint8_t ggfs_node_rows[GGFS_NODE_ROWS];

bool ggfs_node_is_directory(enum ggfs_kind_number kind);

/* True where kind's entries are in the directory parent. */
bool ggfs_node_is_child(enum ggfs_kind_number kind, enum ggfs_kind_number parent);

/* True where the tree has item index of this kind. */
bool ggfs_node_exists(const struct ggfs_tree *tree, enum ggfs_kind_number kind, uint64_t index);

/* The number of a node, and the node of a number: false where the tree has none. */
uint64_t ggfs_node_number(enum ggfs_kind_number kind, uint64_t index);
bool ggfs_node_from(const struct ggfs_tree *tree, uint64_t number, struct ggfs_node *node);

/* GGFS_ERR_NO_ENTRY. Returns false. */
bool ggfs_node_fail(uint64_t number, struct ggfs_err *err);

#endif
