/* SPDX-License-Identifier: MIT */
/* tree.h - a model as files and directories: nodes by number, names, sizes, bytes. Knows nothing
 * of FUSE. Everything here may be called from any number of threads at once. */
#ifndef GGFS_TREE_TREE_H
#define GGFS_TREE_TREE_H

#include "base/err.h"
#include "base/str.h"
#include "decode/decode.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ggfs_tree;

/* Nodes are numbered kind << 40 | index, the same in every mount of a file; kind numbers are
 * frozen (kinds.def). The root is 1, so that it is FUSE's as well. 0 is no node. */
#define GGFS_TREE_ROOT UINT64_C(1)

/* Longest file name (tree.md). */
#define GGFS_TREE_NAME_MAX 255

/* The tree of model, which must outlive it. Costs the model's header at most, not its tensors or
 * tokens. NULL and a filled err without memory. */
struct ggfs_tree *ggfs_tree_new(const struct ggfs_model *model, struct ggfs_err *err);
void ggfs_tree_free(struct ggfs_tree *tree);

struct ggfs_node_attr {
    uint64_t node;
    uint64_t size;   /* bytes, exact */
    uint64_t blocks; /* of 512 bytes that the model really holds */
    uint32_t links;
    bool directory;
};

/* The node of this name in directory; *node is 0 where there is none. GGFS_ERR_NAME over 255 bytes,
 * GGFS_ERR_NOT_DIR, GGFS_ERR_NO_ENTRY for a number that is no node, GGFS_ERR_MEMORY. */
bool ggfs_tree_lookup(struct ggfs_tree *tree, uint64_t directory, struct ggfs_str name,
                      uint64_t *node, struct ggfs_err *err);

/* Size and the rest. A text is rendered once to be sized, the first time. */
bool ggfs_tree_attr(struct ggfs_tree *tree, uint64_t node, struct ggfs_node_attr *attr,
                    struct ggfs_err *err);

/* The same where it needs no work; false where the text has not been sized yet. */
bool ggfs_tree_attr_ready(struct ggfs_tree *tree, uint64_t node, struct ggfs_node_attr *attr);

/* The directory above, for `..` (the root's is the root). */
uint64_t ggfs_tree_parent(const struct ggfs_tree *tree, uint64_t node);

struct ggfs_tree_entry {
    uint64_t node;
    bool directory;
    size_t length;
    char name[GGFS_TREE_NAME_MAX + 1]; /* with a NUL behind it; holds no other and no `/` */
};

/* Entry number position (from 0) of directory, in listing order, without `.` and `..`, in constant
 * time; entry->node is 0 behind the last. */
bool ggfs_tree_entry(struct ggfs_tree *tree, uint64_t directory, uint64_t position,
                     struct ggfs_tree_entry *entry, struct ggfs_err *err);

/* Files and directories in all, and bytes of the model's files, for statfs. */
uint64_t ggfs_tree_nodes(const struct ggfs_tree *tree);
uint64_t ggfs_tree_model_bytes(const struct ggfs_tree *tree);

/* Where a file's content is a range of a model file as it stands (raw tensors, and what views have
 * in common with them): the part of it that [offset, offset + n) of the file covers, for a reply
 * without a copy. False where it is not: then ggfs_tree_read makes the bytes. */
struct ggfs_extent {
    const struct ggfs_source *source;
    uint64_t offset; /* in the source */
    uint64_t n;      /* bytes up to the end of what the tensor may serve (its room) */
};
bool ggfs_tree_extent(const struct ggfs_tree *tree, uint64_t node, uint64_t offset, size_t n,
                      struct ggfs_extent *extent);

/* n bytes of a file from offset on, cut at its end (*got 0 there). *got < n before the end where
 * the model was cut, or a tensor has less room than its size: what there is up to there. With
 * nothing to give there: GGFS_ERR_IO. Works for every file. */
bool ggfs_tree_read(struct ggfs_tree *tree, uint64_t node, uint64_t offset, void *dst, size_t n,
                    size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err);

/* True where reads of this file lead to the model file (tensors and views), as against the header
 * in memory. */
bool ggfs_tree_reads_model(const struct ggfs_tree *tree, uint64_t node);

#endif
