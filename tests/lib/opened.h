/* SPDX-License-Identifier: MIT */
/* opened.h - a model of mkmodel's as a file in memory, opened as ggfs opens it, with its tree. */
#ifndef GGFS_TESTS_OPENED_H
#define GGFS_TESTS_OPENED_H

#include "base/err.h"
#include "mkmodel.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct opened {
    int fd; /* the file, for writing; it has no name */
    char path[40];
    struct ggfs_model *model;
    struct ggfs_tree *tree;
    struct ggfs_scratch scratch;
    struct ggfs_err err;
    const char *frame, *layout; /* of struct ggfs_open_options */
};

/* The file, not yet opened. opened_end gives all back. */
void opened_file(struct opened *o, const struct mk *m);
void opened_bytes(struct opened *o, const void *bytes, size_t n);

/* Opens model and tree; false with o->err and nothing open. opened_close: the way back. */
bool opened_try(struct opened *o);
void opened_close(struct opened *o);

/* File, model and tree; a failure is the test's. Frees m. */
void opened_start(struct opened *o, struct mk *m);
void opened_end(struct opened *o);

/* A kind of mk_good_kinds or mk_legacy_kinds by name, opened. */
void opened_kind(struct opened *o, const char *kind, uint64_t argument);

/* The node at a path such as `metadata/k`; 0 where there is none. */
uint64_t opened_node(struct opened *o, const char *path);

/* The whole of a file, with a NUL behind it, from malloc. n may be NULL. */
char *opened_text(struct opened *o, const char *path, size_t *n);

/* opened_text compared with expected, which ends at its NUL. */
void opened_expect(struct opened *o, const char *path, const char *expected);

/* Calls visit for every entry of every directory. */
typedef void opened_visit(struct opened *o, uint64_t directory, const struct ggfs_tree_entry *entry,
                          void *context);
void opened_walk(struct opened *o, opened_visit *visit, void *context);

/* Looks at and reads the start, the end and a middle piece of everything. True where each call
 * either worked or failed with an error of kind GGFS_ERR_IO. */
bool opened_read_all(struct opened *o);

#endif
