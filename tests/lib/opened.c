/* SPDX-License-Identifier: MIT */
/* opened.c - opening models that never were on a disk. */
#include <config.h>

#include "opened.h"

#include "formats/format.h"
#include "kernels/kernels.h"
#include "models.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE (size_t)(64 * 1024)
#define MOST_DIRECTORIES 16

void opened_bytes(struct opened *o, const void *bytes, size_t n)
{
    const char *cpu = getenv("GGFS_CPU");

    ck_assert(ggfs_kernels_init(cpu && *cpu ? cpu : NULL));
    memset(o, 0, sizeof *o);
    o->fd = memfd_create("model", MFD_CLOEXEC);
    ck_assert_int_ge(o->fd, 0);
    ck_assert_int_eq(pwrite(o->fd, bytes, n, 0), (ssize_t)n);
    snprintf(o->path, sizeof o->path, "/proc/self/fd/%d", o->fd);
}

void opened_file(struct opened *o, const struct mk *m)
{
    opened_bytes(o, m->data, m->size);
    if (m->file_size > m->size)
        ck_assert_int_eq(ftruncate(o->fd, (off_t)m->file_size), 0);
}

bool opened_try(struct opened *o)
{
    struct ggfs_open_options options = {.frame = o->frame, .layout = o->layout};

    ggfs_err_init(&o->err, o->path);
    o->model = ggfs_formats_open(o->path, &options, &o->err);
    o->tree = o->model ? ggfs_tree_new(o->model, &o->err) : NULL;
    if (o->tree && ggfs_scratch_init(&o->scratch, &o->err))
        return true;
    opened_close(o);
    return false;
}

void opened_close(struct opened *o)
{
    ggfs_tree_free(o->tree);
    ggfs_model_free(o->model);
    ggfs_scratch_free(&o->scratch);
    o->tree = NULL;
    o->model = NULL;
}

void opened_end(struct opened *o)
{
    opened_close(o);
    close(o->fd);
}

void opened_start(struct opened *o, struct mk *m)
{
    opened_file(o, m);
    mk_free(m);
    if (!opened_try(o))
        ck_abort_msg("0x%llx: %s: %s", (unsigned long long)o->err.offset, o->err.field,
                     o->err.text);
}

static bool start_kind(struct opened *o, const struct mk_kind *kinds, const char *kind,
                       uint64_t argument)
{
    struct mk m;

    for (const struct mk_kind *k = kinds; k->name; k++) {
        if (strcmp(k->name, kind) != 0)
            continue;
        k->make(&m, argument);
        opened_start(o, &m);
        return true;
    }
    return false;
}

void opened_kind(struct opened *o, const char *kind, uint64_t argument)
{
    if (!start_kind(o, mk_good_kinds, kind, argument) &&
        !start_kind(o, mk_legacy_kinds, kind, argument))
        ck_abort_msg("no kind %s", kind);
}

uint64_t opened_node(struct opened *o, const char *path)
{
    uint64_t node = GGFS_TREE_ROOT;

    while (*path && node) {
        size_t n = strcspn(path, "/");
        struct ggfs_err err;
        ggfs_err_init(&err, NULL);
        if (!ggfs_tree_lookup(o->tree, node, (struct ggfs_str){path, n}, &node, &err))
            ck_abort_msg("%s: %s", path, err.text);
        path += n + (path[n] == '/');
    }
    return node;
}

char *opened_text(struct opened *o, const char *path, size_t *n)
{
    struct ggfs_node_attr attr = {0};
    struct ggfs_err err;
    size_t got = 0;
    char *text;
    uint64_t node = opened_node(o, path);

    ggfs_err_init(&err, NULL);
    if (!node || !ggfs_tree_attr(o->tree, node, &attr, &err))
        ck_abort_msg("no %s %s", path, err.text);
    text = malloc(attr.size + 1);
    ck_assert_ptr_nonnull(text);
    if (!ggfs_tree_read(o->tree, node, 0, text, attr.size, &got, &o->scratch, &err))
        ck_abort_msg("%s: %s", path, err.text);
    ck_assert_uint_eq(got, attr.size);
    text[got] = '\0';
    if (n)
        *n = got;
    return text;
}

void opened_expect(struct opened *o, const char *path, const char *expected)
{
    size_t n;
    char *text = opened_text(o, path, &n);

    if (n != strlen(expected) || memcmp(text, expected, n) != 0)
        ck_abort_msg("%s is `%s`, not `%s`", path, text, expected);
    free(text);
}

static void fail_listing(const struct ggfs_err *err)
{
    ck_abort_msg("listing: %s", err->text);
}

void opened_walk(struct opened *o, opened_visit *visit, void *context)
{
    uint64_t left[MOST_DIRECTORIES] = {GGFS_TREE_ROOT};
    size_t n = 1;

    while (n > 0) {
        uint64_t directory = left[--n];
        struct ggfs_tree_entry entry;
        struct ggfs_err err;
        ggfs_err_init(&err, NULL);
        for (uint64_t i = 0;; i++) {
            if (!ggfs_tree_entry(o->tree, directory, i, &entry, &err))
                fail_listing(&err);
            if (!entry.node)
                break;
            visit(o, directory, &entry, context);
            if (entry.directory)
                left[n++] = entry.node;
            ck_assert_uint_lt(n, MOST_DIRECTORIES);
        }
    }
}

static bool piece_is_fine(struct opened *o, uint64_t node, uint64_t offset)
{
    static _Thread_local char buffer[PIECE];
    struct ggfs_err err;
    size_t got;

    ggfs_err_init(&err, NULL);
    return ggfs_tree_read(o->tree, node, offset, buffer, sizeof buffer, &got, &o->scratch, &err) ||
           err.kind == GGFS_ERR_IO;
}

static void read_one(struct opened *o, uint64_t directory, const struct ggfs_tree_entry *entry,
                     void *context)
{
    bool *fine = context;
    struct ggfs_node_attr attr;
    struct ggfs_err err;

    (void)directory;
    ggfs_err_init(&err, NULL);
    if (!ggfs_tree_attr(o->tree, entry->node, &attr, &err)) {
        *fine = false;
        return;
    }
    if (entry->directory)
        return;
    *fine = *fine && piece_is_fine(o, entry->node, 0) &&
            piece_is_fine(o, entry->node, attr.size / 2) &&
            piece_is_fine(o, entry->node, attr.size > 1000 ? attr.size - 1000 : attr.size);
}

bool opened_read_all(struct opened *o)
{
    bool fine = true;

    opened_walk(o, read_one, &fine);
    return fine;
}
