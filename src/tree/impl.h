/* SPDX-License-Identifier: MIT */
/* impl.h - what the files of this folder share: the tree itself, its kinds, and the three things
 * that a row of kinds.def names (counts, contents, steps). */
#ifndef GGFS_TREE_IMPL_H
#define GGFS_TREE_IMPL_H

#include "base/sink.h"
#include "model/vocab.h"
#include "tree/index.h"
#include "tree/render.h"
#include "tree/tree.h"

#include <pthread.h>
#include <stdatomic.h>

#define K(number, id, parent, name, family, count, content, step) GGFS_KIND_##id = number,
enum ggfs_kind_number {
#include "tree/kinds.def"
    GGFS_KIND_COUNT = 30, /* one more than the largest; a row beyond does not compile */
};
#undef K

/* Whose names the entries of a set bear. The first three are looked up through an index. */
enum ggfs_family {
    GGFS_FAMILY_KEYS,
    GGFS_FAMILY_TENSORS,
    GGFS_FAMILY_TOKENS,
    GGFS_FAMILY_TEMPLATES,
    GGFS_FAMILY_INDEXED, /* how many those are */
    GGFS_FAMILY_NUMBERS = GGFS_FAMILY_INDEXED, /* decimal, without padding */
    GGFS_FAMILY_NONE,
};

struct ggfs_node {
    enum ggfs_kind_number kind;
    uint64_t index;
};

/* A place in a text; all zero: its start. Plain data: a copy is a checkpoint. */
struct ggfs_text_at {
    uint64_t unit; /* line, key, tensor, … as the step counts */
    uint8_t part;  /* of the unit, which the step cuts where it holds a string of any length */
    struct ggfs_render value;
};

/* Renders the next piece of the text of item index, some KiB at most, and moves on. False when that
 * was the last. */
typedef bool ggfs_text_step(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                            struct ggfs_sink *out);

/* How the size and the bytes of a kind of file come about; all NULL for directories. In read,
 * offset + n is within the size. */
struct ggfs_content {
    bool (*size)(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                 struct ggfs_err *err);
    bool (*read)(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                 size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err);
    bool (*is_sized)(struct ggfs_tree *tree, struct ggfs_node node); /* NULL: always */
    uint64_t (*stored)(const struct ggfs_tree *tree, uint64_t index); /* bytes for st_blocks */
    bool reads_model;
};

/* A row of kinds.def. */
struct ggfs_kind {
    const char *name;
    uint8_t parent;
    uint8_t family;
    uint64_t (*count)(const struct ggfs_tree *tree);
    const struct ggfs_content *content;
    ggfs_text_step *step; /* of texts */
};

extern const struct ggfs_kind ggfs_kinds[GGFS_KIND_COUNT];

/* Names of a family, made when they are first asked for. */
struct ggfs_lazy_index {
    _Atomic bool ready;
    struct ggfs_index index;
};

/* Sizes and checkpoints of texts, likewise. */
struct ggfs_text_slots {
    _Atomic(struct ggfs_text *) single[GGFS_KIND_COUNT];
    uint32_t *large;                      /* keys with a slot of their own, ascending */
    _Atomic(struct ggfs_text *) *of_large;
    uint32_t n_large;
};

/* A text of seconds must not hold up the others: each waits for its own lock, more or less. */
#define GGFS_TEXT_LOCKS 32

struct ggfs_tree {
    const struct ggfs_model *model;
    struct ggfs_vocab vocab;
    uint32_t *views; /* tensors that have views, ascending */
    uint32_t n_views;
    uint64_t model_bytes;
    pthread_mutex_t names_lock;
    pthread_mutex_t text_locks[GGFS_TEXT_LOCKS]; /* one at a time, never beside names_lock */
    struct ggfs_lazy_index names[GGFS_FAMILY_INDEXED];
    struct ggfs_text_slots texts;
};

/* names of a family in order; NULL without memory. */
const struct ggfs_index *ggfs_tree_names(struct ggfs_tree *tree, enum ggfs_family family,
                                         struct ggfs_err *err);

/* For steps, which run after the names were made: item's file name as in the tree. */
struct ggfs_str ggfs_tree_file_name(const struct ggfs_tree *tree, enum ggfs_family family,
                                    uint32_t item, char out[GGFS_TREE_NAME_MAX]);

/* True where tensor has entries under views/. */
bool ggfs_tree_has_view(const struct ggfs_tensor *tensor);

/* True where node is a view whose bytes from head on are the tensor's own. */
bool ggfs_tree_view_stored(const struct ggfs_tree *tree, struct ggfs_node node, uint64_t *head);

/* texts.c */
bool ggfs_text_slots_init(struct ggfs_tree *tree, struct ggfs_err *err);
void ggfs_text_slots_free(struct ggfs_tree *tree);

#define K(number, id, parent, name, family, count, content, step)                                  \
    uint64_t ggfs_count_##count(const struct ggfs_tree *tree);
#include "tree/kinds.def"
#undef K

extern const struct ggfs_content ggfs_content_directory, ggfs_content_text,
    ggfs_content_small_text, ggfs_content_key_text, ggfs_content_tensor, ggfs_content_bytes,
    ggfs_content_words, ggfs_content_f32, ggfs_content_npy;

ggfs_text_step ggfs_step_readme, ggfs_step_summary, ggfs_step_format, ggfs_step_key,
    ggfs_step_metadata_json, ggfs_step_metadata_tsv, ggfs_step_tensors_tsv, ggfs_step_tensors_json,
    ggfs_step_tokens, ggfs_step_merges, ggfs_step_vocab_tsv, ggfs_step_vocab_json,
    ggfs_step_special, ggfs_step_id;

#endif
