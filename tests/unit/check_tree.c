/* SPDX-License-Identifier: MIT */
/* check_tree.c - nodes, names, sizes and bytes: that listing, lookup, stat and reads agree. */
#include <config.h>

#include "base/mem.h"
#include "models.h"
#include "opened.h"
#include "suite.h"
#include "tree/impl.h"
#include "tree/names.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const models[] = {"sample",    "sample-be", "v1",         "v2-be",
                                     "header-only", "dims",    "tied",       "order",
                                     "long-names", "odd-names", "odd-vocab", "template-only",
                                     "too-large", "unknown-types", "nested", "no-keys"};

/* Numbers. */

START_TEST(kind_numbers_are_frozen)
{
    static const struct {
        unsigned number, parent;
        const char *name;
    } kinds[] = {
        {0, 0, ""},           {1, 0, "README.txt"},   {2, 0, "summary.txt"},  {3, 0, "format"},
        {4, 0, "metadata"},   {5, 4, ""},             {6, 0, "metadata.json"},
        {7, 0, "metadata.tsv"}, {8, 0, "tensors"},    {9, 8, ""},
        {10, 0, "tensors.tsv"},
        {11, 0, "tensors.json"}, {12, 0, "vocab"},    {13, 12, "tokens"},     {14, 13, ""},
        {15, 12, "ids"},      {16, 15, ""},           {17, 12, "tokens.txt"}, {18, 12, "vocab.tsv"},
        {19, 12, "vocab.json"}, {20, 12, "special.tsv"}, {21, 12, "merges.txt"},
        {22, 12, "scores.f32"}, {23, 12, "types.i32"}, {24, 12, ".jinja"},    {25, 0, "views"},
        {26, 25, "f32"},      {27, 26, ".f32"},       {28, 25, "npy"},        {29, 28, ".npy"},
    };

    for (size_t i = 0; i < COUNT(kinds); i++) {
        ck_assert_str_eq(ggfs_kinds[kinds[i].number].name, kinds[i].name);
        ck_assert_uint_eq(ggfs_kinds[kinds[i].number].parent, kinds[i].parent);
    }
}
END_TEST

START_TEST(inodes_are_kind_and_index)
{
    static const struct {
        const char *path;
        uint64_t kind, index;
    } cases[] = {
        {"README.txt", 1, 0},
        {"metadata", 4, 0},
        {"metadata/general.architecture", 5, 0},
        {"metadata/general.name", 5, 1},
        {"tensors/token_embd.weight", 9, 0},
        {"tensors/blk.0.attn_norm.weight", 9, 1},
        {"vocab/tokens/258", 14, 258},
        {"vocab/ids/<s>", 16, 1},
        {"vocab/chat_template.jinja", 24, 0},
        {"vocab/chat_template.tool_use.jinja", 24, 1},
        {"views/f32/blk.0.attn_norm.weight.f32", 27, 1},
        {"views/npy/blk.0.attn_norm.weight.npy", 29, 1},
    };
    struct opened o;

    opened_kind(&o, "sample", 0);
    ck_assert_uint_eq(opened_node(&o, ""), 1);
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(opened_node(&o, cases[i].path) == (cases[i].kind << 40 | cases[i].index),
                      "%s", cases[i].path);
    opened_end(&o);
}
END_TEST

START_TEST(what_is_no_node)
{
    struct ggfs_node_attr attr;
    struct ggfs_tree_entry entry;
    struct opened o;
    char byte;
    size_t got;

    opened_kind(&o, "sample", 0);
    for (uint64_t kind = 0; kind < 1 << 10; kind++) {
        static const uint64_t offsets[] = {0, 1, 2, 1000000, (UINT64_C(1) << 40) - 1};
        for (size_t i = 0; i < COUNT(offsets); i++) {
            uint64_t number = kind << 40 | offsets[i], node;
            bool is = number == 1 || (kind > 0 && kind < GGFS_KIND_COUNT &&
                                      offsets[i] < ggfs_kinds[kind].count(o.tree));
            struct ggfs_err err;
            if (kind == 27 || kind == 29) /* some tensors have no view */
                continue;
            ggfs_err_init(&err, NULL);
            ck_assert_msg(ggfs_tree_attr(o.tree, number, &attr, &err) == is, "%" PRIx64, number);
            if (is)
                continue;
            ck_assert_uint_eq(err.kind, GGFS_ERR_NO_ENTRY);
            ck_assert(!ggfs_tree_attr_ready(o.tree, number, &attr));
            ck_assert(!ggfs_tree_lookup(o.tree, number, GGFS_STR("x"), &node, NULL));
            ck_assert(!ggfs_tree_entry(o.tree, number, 0, &entry, NULL));
            ck_assert(!ggfs_tree_read(o.tree, number, 0, &byte, 1, &got, &o.scratch, NULL));
            ck_assert(!ggfs_tree_reads_model(o.tree, number));
            ck_assert_uint_eq(ggfs_tree_parent(o.tree, number), GGFS_TREE_ROOT);
        }
    }
    opened_end(&o);
}
END_TEST

/* Names. */

static void check_entry(struct opened *o, uint64_t directory, const struct ggfs_tree_entry *entry,
                        void *context)
{
    uint64_t *n = context, found;
    struct ggfs_node_attr attr;
    struct ggfs_str name = {entry->name, entry->length};

    ck_assert_uint_eq(strlen(entry->name), entry->length);
    ck_assert(entry->length > 0 && entry->length <= 255 && !strchr(entry->name, '/'));
    ck_assert(strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0);
    ck_assert(ggfs_tree_lookup(o->tree, directory, name, &found, NULL));
    ck_assert_msg(found == entry->node, "%s: %" PRIx64 ", not %" PRIx64, entry->name, found,
                  entry->node);
    ck_assert_uint_eq(ggfs_tree_parent(o->tree, entry->node), directory);
    ck_assert(ggfs_tree_attr(o->tree, entry->node, &attr, NULL));
    ck_assert_uint_eq(attr.node, entry->node);
    ck_assert_int_eq(attr.directory, entry->directory);
    ck_assert(ggfs_tree_attr_ready(o->tree, entry->node, &attr));
    ck_assert_uint_le(attr.size, INT64_MAX);
    (*n)++;
}

START_TEST(listings_and_lookups_agree)
{
    for (size_t i = 0; i < COUNT(models); i++) {
        struct opened o;
        uint64_t n = 1; /* the root */
        opened_kind(&o, models[i], 0);
        opened_walk(&o, check_entry, &n);
        ck_assert_uint_eq(n, ggfs_tree_nodes(o.tree));
        opened_end(&o);
    }
}
END_TEST

START_TEST(what_is_not_listed_is_not_found)
{
    static const char *const paths[] = {
        "x", ".", "..", "metadata/x", "metadata/general.architecture%~2", "tensors/",
        "metadata/general%2Earchitecture", "vocab/tokens/00", "vocab/tokens/-1",
        "vocab/tokens/99999", "vocab/tokens/4294967296", "vocab/tokens/1 ", "vocab/ids/x%~1",
        "views/f32/token_embd.weight", "views/npy/token_embd.weight.f32",
        "views/f32/token_embd.weight.f32.f32", "README.TXT", "readme.txt", "vocab/.jinja",
    };
    struct opened o;
    uint64_t node;

    opened_kind(&o, "sample", 0);
    for (size_t i = 0; i < COUNT(paths); i++)
        if (paths[i][strlen(paths[i]) - 1] != '/')
            ck_assert_msg(opened_node(&o, paths[i]) == 0, "%s", paths[i]);
    ck_assert(ggfs_tree_lookup(o.tree, GGFS_TREE_ROOT, GGFS_STR(""), &node, NULL));
    ck_assert_uint_eq(node, 0);
    opened_end(&o);
}
END_TEST

START_TEST(errors_have_their_kind)
{
    struct ggfs_tree_entry entry;
    struct ggfs_err err;
    struct opened o;
    char name[256];
    uint64_t node;

    opened_kind(&o, "sample", 0);
    memset(name, 'x', sizeof name);
    ggfs_err_init(&err, NULL);
    ck_assert(!ggfs_tree_lookup(o.tree, 1, (struct ggfs_str){name, 256}, &node, &err));
    ck_assert_uint_eq(err.kind, GGFS_ERR_NAME);
    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_tree_lookup(o.tree, 1, (struct ggfs_str){name, 255}, &node, &err));
    ck_assert_uint_eq(node, 0);
    ck_assert(!ggfs_tree_lookup(o.tree, opened_node(&o, "format"), GGFS_STR("x"), &node, &err));
    ck_assert_uint_eq(err.kind, GGFS_ERR_NOT_DIR);
    ggfs_err_init(&err, NULL);
    ck_assert(!ggfs_tree_entry(o.tree, opened_node(&o, "format"), 0, &entry, &err));
    ck_assert_uint_eq(err.kind, GGFS_ERR_NOT_DIR);
    opened_end(&o);
}
END_TEST

static void expect_listing(struct opened *o, const char *path, const char *const *names)
{
    struct ggfs_tree_entry entry;
    uint64_t i;

    for (i = 0; names[i]; i++) {
        ck_assert(ggfs_tree_entry(o->tree, opened_node(o, path), i, &entry, NULL));
        ck_assert_str_eq(entry.name, names[i]);
    }
    ck_assert(ggfs_tree_entry(o->tree, opened_node(o, path), i, &entry, NULL));
    ck_assert_uint_eq(entry.node, 0);
}

START_TEST(listings_are_in_order)
{
    struct opened o;

    opened_kind(&o, "sample", 0);
    expect_listing(&o, "",
                   (const char *const[]){"README.txt", "summary.txt", "format", "metadata",
                                         "metadata.json", "metadata.tsv", "tensors", "tensors.tsv",
                                         "tensors.json", "vocab", "views", NULL});
    expect_listing(&o, "vocab",
                   (const char *const[]){"tokens", "ids", "tokens.txt", "vocab.tsv", "vocab.json",
                                         "special.tsv", "merges.txt", "scores.f32", "types.i32",
                                         "chat_template.jinja", "chat_template.tool_use.jinja",
                                         NULL});
    expect_listing(&o, "views", (const char *const[]){"f32", "npy", NULL});
    opened_end(&o);
    opened_kind(&o, "order", 0);
    expect_listing(&o, "tensors", (const char *const[]){"third", "first", "second", NULL});
    expect_listing(&o, "views/npy",
                   (const char *const[]){"third.npy", "first.npy", "second.npy", NULL});
    opened_end(&o);
    opened_kind(&o, "header-only", 0);
    expect_listing(&o, "",
                   (const char *const[]){"README.txt", "summary.txt", "format", "metadata",
                                         "metadata.json", "metadata.tsv", "tensors", "tensors.tsv",
                                         "tensors.json", "views", NULL});
    opened_end(&o);
}
END_TEST

START_TEST(odd_names_are_listed)
{
    struct opened o;

    opened_kind(&o, "odd-names", 0);
    expect_listing(&o, "views/f32",
                   (const char *const[]){
                       "a%2Fb.f32",  "a%252Fb.f32", "%2E.f32",  "%2E%2E.f32", "%.f32",
                       "%25.f32",    "%2500.f32",   "a%00b.f32", "\n.f32",    "\xC3\x28.f32",
                       "\x1B[2J.f32", "%2E%2E%~2.f32", "w.f32",  "w%~2.f32",  "w%~3.f32",
                       "w%25~2.f32", "%2Fetc%2Fx.f32", "-rf.f32", " .f32",    "*.f32",
                       "a.b.f32",    "a.f32",       "a.b.c.f32", NULL});
    opened_end(&o);
}
END_TEST

/* Attributes. */

static void expect_attr(struct opened *o, const char *path, uint32_t links, uint64_t size,
                        uint64_t blocks)
{
    struct ggfs_node_attr attr;

    ck_assert(ggfs_tree_attr(o->tree, opened_node(o, path), &attr, NULL));
    ck_assert_uint_eq(attr.links, links);
    ck_assert_msg(attr.size == size, "%s: %" PRIu64, path, attr.size);
    ck_assert_msg(attr.blocks == blocks, "%s: %" PRIu64 " blocks", path, attr.blocks);
}

START_TEST(links_sizes_and_blocks)
{
    struct opened o;

    opened_kind(&o, "sample", 0);
    expect_attr(&o, "", 6, 0, 0);
    expect_attr(&o, "metadata", 2, 0, 0);
    expect_attr(&o, "vocab", 4, 0, 0);
    expect_attr(&o, "views", 4, 0, 0);
    expect_attr(&o, "views/f32", 2, 0, 0);
    expect_attr(&o, "metadata/general.architecture", 1, 6, 1);
    expect_attr(&o, "metadata/example.empty", 1, 1, 0);
    expect_attr(&o, "metadata/llama.context_length", 1, 5, 1);
    expect_attr(&o, "tensors/blk.0.attn_q.weight", 1, 2304, 5);
    expect_attr(&o, "views/f32/blk.0.attn_q.weight.f32", 1, 16384, 0);
    expect_attr(&o, "views/npy/blk.0.attn_q.weight.npy", 1, 16384 + 128, 0);
    expect_attr(&o, "vocab/tokens/1", 1, 3, 0);
    expect_attr(&o, "format", 1, 21, 0);
    opened_end(&o);
    opened_kind(&o, "template-only", 0);
    expect_attr(&o, "", 6, 0, 0);
    expect_attr(&o, "vocab", 2, 0, 0);
    opened_end(&o);
    opened_kind(&o, "header-only", 0);
    expect_attr(&o, "", 5, 0, 0);
    opened_end(&o);
    /* 256 values of which 64 bytes are there. */
    opened_kind(&o, "too-large", 0);
    expect_attr(&o, "tensors/large", 1, 1024, 1);
    expect_attr(&o, "tensors/past", 1, 32, 0);
    opened_end(&o);
}
END_TEST

static void check_not_sized(struct opened *o, uint64_t directory,
                            const struct ggfs_tree_entry *entry, void *context)
{
    struct ggfs_node_attr attr;
    uint64_t *unsized = context;

    (void)directory;
    *unsized += !ggfs_tree_attr_ready(o->tree, entry->node, &attr);
}

START_TEST(a_listing_sizes_nothing)
{
    struct opened o;
    uint64_t unsized = 0;

    opened_kind(&o, "vocab", 2000);
    opened_walk(&o, check_not_sized, &unsized);
    /* All texts but README.txt and format, and three keys of more than 4 KiB. */
    ck_assert_uint_eq(unsized, 5 + 4 + 3);
    opened_end(&o);
}
END_TEST

/* Bytes. */

/* A piece that the model file holds as it stands: the same bytes. */
static void check_extent(struct opened *o, uint64_t node, uint64_t offset, const char *piece,
                         size_t n)
{
    struct ggfs_extent extent;
    char *bytes = malloc(n + 1);

    ck_assert_ptr_nonnull(bytes);
    if (ggfs_tree_extent(o->tree, node, offset, n, &extent)) {
        ck_assert_uint_eq(extent.n, n);
        ck_assert_int_eq(pread(extent.source->fd, bytes, n, (off_t)extent.offset), (ssize_t)n);
        ck_assert_int_eq(memcmp(bytes, piece, n), 0);
    }
    free(bytes);
}

/* Pieces of random length at random places, checked against the whole. */
static void check_pieces(struct opened *o, const struct ggfs_tree_entry *entry, const char *whole,
                         size_t size, uint64_t *seed)
{
    char *piece = malloc(size + 100);

    ck_assert_ptr_nonnull(piece);
    for (int i = 0; i < 12; i++) {
        uint64_t offset = suite_below(seed, size + 2);
        size_t n = suite_below(seed, 4) ? suite_below(seed, 300) : suite_below(seed, size + 50);
        size_t expected = offset >= size ? 0 : size - offset < n ? size - offset : n, got = 99;
        memset(piece, 0x5A, size + 100);
        ck_assert(ggfs_tree_read(o->tree, entry->node, offset, piece, n, &got, &o->scratch, NULL));
        if (got != expected || (got && memcmp(piece, whole + offset, got) != 0))
            ck_abort_msg("%s: %zu bytes from %" PRIu64, entry->name, n, offset);
        ck_assert_int_eq(piece[got], 0x5A);
        check_extent(o, entry->node, offset, piece, got);
    }
    free(piece);
}

static void check_file(struct opened *o, uint64_t directory, const struct ggfs_tree_entry *entry,
                       void *context)
{
    struct ggfs_node_attr attr;
    size_t got = 0;
    char *whole;

    (void)directory;
    if (entry->directory)
        return;
    ck_assert(ggfs_tree_attr(o->tree, entry->node, &attr, NULL));
    whole = malloc(attr.size + 1);
    ck_assert_ptr_nonnull(whole);
    ck_assert(ggfs_tree_read(o->tree, entry->node, 0, whole, attr.size, &got, &o->scratch, NULL));
    ck_assert_uint_eq(got, attr.size);
    check_pieces(o, entry, whole, attr.size, context);
    free(whole);
}

START_TEST(pieces_equal_the_whole)
{
    static const char *const complete[] = {"sample", "sample-be", "v1", "v2-be", "header-only",
                                           "dims", "tied", "order", "long-names", "odd-names",
                                           "odd-vocab", "template-only", "nested", "no-keys"};
    uint64_t seed = suite_seed();

    for (size_t i = 0; i < COUNT(complete); i++) {
        struct opened o;
        opened_kind(&o, complete[i], 0);
        opened_walk(&o, check_file, &seed);
        opened_end(&o);
    }
}
END_TEST

/* False for one part of a model of several, which is not opened by itself. */
static bool open_old(struct opened *o, const struct mk_kind *kind)
{
    struct mk m;

    kind->make(&m, 0);
    opened_file(o, &m);
    mk_free(&m);
    if (opened_try(o))
        return true;
    ck_assert_msg(o->err.kind == GGFS_ERR_OPEN, "%s: %s", kind->name, o->err.text);
    opened_end(o);
    return false;
}

START_TEST(old_containers_have_the_same_tree)
{
    uint64_t seed = suite_seed();

    for (const struct mk_kind *kind = mk_legacy_kinds; kind->name; kind++) {
        struct opened o;
        uint64_t n = 1;
        if (!open_old(&o, kind))
            continue;
        opened_walk(&o, check_entry, &n);
        ck_assert_uint_eq(n, ggfs_tree_nodes(o.tree));
        if (kind->expect == MK_MOUNT)
            opened_walk(&o, check_file, &seed);
        opened_end(&o);
    }
}
END_TEST

/* Texts of many checkpoints. */
START_TEST(long_texts_in_pieces)
{
    static const char *const paths[] = {"metadata.json", "vocab/vocab.json", "vocab/vocab.tsv",
                                        "vocab/tokens.txt", "metadata/tokenizer.ggml.tokens",
                                        "metadata/tokenizer.ggml.scores"};
    uint64_t seed = suite_seed();
    struct opened o;

    opened_kind(&o, "vocab", 50000);
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct ggfs_tree_entry entry = {.node = opened_node(&o, paths[i])};
        size_t size;
        char *whole = opened_text(&o, paths[i], &size);
        snprintf(entry.name, sizeof entry.name, "%s", paths[i]);
        ck_assert_uint_gt(size, 3 * 64 * 1024);
        for (int round = 0; round < 5; round++)
            check_pieces(&o, &entry, whole, size, &seed);
        free(whole);
    }
    opened_end(&o);
}
END_TEST

/* Random headers: strings of all lengths and bytes, nested arrays. */
static void put_random_value(struct mk *m, uint32_t type, unsigned depth, uint64_t *seed)
{
    if (type == MK_STR) {
        size_t n = suite_below(seed, 8) ? suite_below(seed, 20) : suite_below(seed, 20000);
        char *bytes = malloc(n + 1);
        ck_assert_ptr_nonnull(bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = suite_below(seed, 3) ? "\xE2\x96\x81\n\"\\a"[suite_below(seed, 7)]
                                            : (char)suite_random(seed);
        mk_string_n(m, bytes, n);
        free(bytes);
    } else if (type == MK_ARR) {
        uint32_t elem = (uint32_t)suite_below(seed, GGFS_VALUE_TYPES);
        uint64_t n = suite_below(seed, 5);
        elem = elem == MK_ARR && depth > 5 ? MK_U8 : elem;
        mk_array(m, elem, n);
        while (n-- > 0)
            put_random_value(m, elem, depth + 1, seed);
    } else {
        uint64_t random = suite_random(seed);
        mk_put(m, &random, ggfs_value_width(type));
    }
}

START_TEST(random_values_in_pieces)
{
    uint64_t seed = suite_seed();

    for (int round = 0; round < 40; round++) {
        struct opened o;
        struct mk m;
        mk_start(&m, 1 + (uint32_t)suite_below(&seed, 3), suite_below(&seed, 2));
        for (uint64_t keys = suite_below(&seed, 12); keys > 0; keys--) {
            uint32_t type = (uint32_t)suite_below(&seed, GGFS_VALUE_TYPES);
            char name[16];
            snprintf(name, sizeof name, "k%" PRIu64, suite_below(&seed, 6));
            mk_key(&m, name, type);
            put_random_value(&m, type, 1, &seed);
        }
        opened_start(&o, &m);
        opened_walk(&o, check_file, &seed);
        opened_end(&o);
    }
}
END_TEST

/* Which files are answered by descriptor and offset. */
START_TEST(stored_bytes_have_an_extent)
{
    static const struct {
        const char *path;
        uint64_t head;
        bool little, big;
    } cases[] = {
        {"tensors/output.weight", 0, true, true},
        {"views/f32/blk.0.attn_norm.weight.f32", 0, true, false},
        {"views/npy/blk.0.attn_norm.weight.npy", 128, true, false},
        {"views/npy/token_embd.weight.npy", 128, true, false},
        {"views/f32/token_embd.weight.f32", 0, false, false},
        {"views/f32/output.weight.f32", 0, false, false},
        {"views/npy/blk.0.ffn_down.weight.npy", 128, false, false},
        {"metadata.json", 0, false, false},
        {"vocab/tokens/1", 0, false, false},
        {"views", 0, false, false},
    };

    for (int big = 0; big < 2; big++) {
        struct opened o;
        opened_kind(&o, big ? "sample-be" : "sample", 0);
        for (size_t i = 0; i < COUNT(cases); i++) {
            uint64_t node = opened_node(&o, cases[i].path);
            struct ggfs_extent extent;
            bool has = ggfs_tree_extent(o.tree, node, cases[i].head, 8, &extent);
            ck_assert_msg(has == (big ? cases[i].big : cases[i].little), "%s", cases[i].path);
            if (cases[i].head)
                ck_assert(!ggfs_tree_extent(o.tree, node, cases[i].head - 1, 8, &extent));
        }
        ck_assert_uint_eq(ggfs_tree_model_bytes(o.tree), o.model->sources[0].size);
        opened_end(&o);
    }
}
END_TEST

START_TEST(tensors_are_as_stored)
{
    struct opened o;
    struct mk m;

    mk_good_kinds[0].make(&m, 0);
    opened_kind(&o, "sample", 0);
    for (uint32_t i = 0; i < o.model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &o.model->tensors[i];
        uint64_t node = UINT64_C(9) << 40 | i;
        struct ggfs_extent extent;
        uint8_t *bytes = malloc(tensor->bytes);
        size_t got;
        ck_assert_ptr_nonnull(bytes);
        ck_assert(ggfs_tree_read(o.tree, node, 0, bytes, tensor->bytes, &got, &o.scratch, NULL));
        ck_assert_uint_eq(got, tensor->bytes);
        ck_assert_int_eq(memcmp(bytes, m.data + tensor->offset, got), 0);
        ck_assert(ggfs_tree_extent(o.tree, node, 3, tensor->bytes, &extent));
        ck_assert_uint_eq(extent.offset, tensor->offset + 3);
        ck_assert_uint_eq(extent.n, tensor->bytes - 3);
        ck_assert(ggfs_tree_extent(o.tree, node, tensor->bytes, 1, &extent));
        ck_assert_uint_eq(extent.n, 0);
        free(bytes);
    }
    opened_end(&o);
    mk_free(&m);
}
END_TEST

static void expect_read(struct opened *o, const char *path, uint64_t offset, size_t n,
                        long expected)
{
    char bytes[2048];
    struct ggfs_err err;
    size_t got = 0;
    bool ok;

    ggfs_err_init(&err, NULL);
    ok = ggfs_tree_read(o->tree, opened_node(o, path), offset, bytes, n, &got, &o->scratch, &err);
    if (expected < 0)
        ck_assert_msg(!ok && err.kind == GGFS_ERR_IO, "%s from %" PRIu64, path, offset);
    else
        ck_assert_msg(ok && got == (size_t)expected, "%s from %" PRIu64 ": %zu", path, offset, got);
}

START_TEST(reads_end_with_the_room)
{
    struct opened o;

    /* large: 1024 bytes in a room of 64; cut: 32 in 16; past: nothing there. */
    opened_kind(&o, "too-large", 0);
    expect_read(&o, "tensors/large", 0, 64, 64);
    expect_read(&o, "tensors/large", 0, 1024, 64);
    expect_read(&o, "tensors/large", 63, 10, 1);
    expect_read(&o, "tensors/large", 64, 10, -1);
    expect_read(&o, "tensors/large", 1023, 10, -1);
    expect_read(&o, "tensors/large", 1024, 10, 0);
    expect_read(&o, "tensors/large", UINT64_MAX, 10, 0);
    expect_read(&o, "tensors/cut", 0, 32, 16);
    expect_read(&o, "tensors/cut", 16, 1, -1);
    expect_read(&o, "tensors/past", 0, 1, -1);
    expect_read(&o, "tensors/past", 0, 0, 0);
    expect_read(&o, "views/f32/small.f32", 0, 100, 32);
    ck_assert_uint_eq(opened_node(&o, "views/f32/large.f32"), 0);
    ck_assert_uint_eq(opened_node(&o, "views/npy/past.npy"), 0);
    opened_end(&o);
}
END_TEST

START_TEST(reads_end_where_the_file_was_cut)
{
    struct opened o;
    uint64_t at;

    opened_kind(&o, "no-keys", 0);
    at = o.model->tensors[0].offset;
    ck_assert_int_eq(ftruncate(o.fd, (off_t)at + 10), 0);
    expect_read(&o, "tensors/w", 0, 32, 10);
    expect_read(&o, "tensors/w", 10, 1, -1);
    expect_read(&o, "views/f32/w.f32", 0, 32, 10);
    expect_read(&o, "views/f32/w.f32", 8, 8, 2);
    expect_read(&o, "views/f32/w.f32", 12, 8, -1);
    expect_read(&o, "views/npy/w.npy", 0, 200, 128 + 10);
    expect_read(&o, "views/npy/w.npy", 100, 28, 28);
    expect_read(&o, "views/npy/w.npy", 140, 8, -1);
    ck_assert_int_eq(ftruncate(o.fd, 0), 0);
    expect_read(&o, "tensors/w", 0, 32, -1);
    expect_read(&o, "views/npy/w.npy", 0, 200, 128);
    expect_read(&o, "views/npy/w.npy", 128, 1, -1);
    opened_end(&o);
}
END_TEST

START_TEST(directories_are_not_read)
{
    struct opened o;
    uint64_t views;
    char byte;
    size_t got;

    opened_kind(&o, "sample", 0);
    views = opened_node(&o, "views");
    ck_assert(!ggfs_tree_read(o.tree, views, 0, &byte, 1, &got, &o.scratch, NULL));
    ck_assert(!ggfs_tree_reads_model(o.tree, opened_node(&o, "views")));
    ck_assert(!ggfs_tree_reads_model(o.tree, opened_node(&o, "vocab/tokens/1")));
    ck_assert(!ggfs_tree_reads_model(o.tree, opened_node(&o, "metadata.json")));
    ck_assert(ggfs_tree_reads_model(o.tree, opened_node(&o, "tensors/output.weight")));
    ck_assert(ggfs_tree_reads_model(o.tree, opened_node(&o, "views/f32/output.weight.f32")));
    opened_end(&o);
}
END_TEST

/* .npy */

START_TEST(npy_headers_are_those_of_numpy)
{
    static const uint64_t d[] = {3, 4, 5, 6}, none[] = {0};
    static const struct {
        uint32_t type, n_dims;
        const uint64_t *dims;
        const char *text;
    } cases[] = {
        {MK_T_F32, 0, d, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"},
        {MK_T_F32, 1, d, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"},
        {MK_T_F16, 2, d, "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 3), }"},
        {MK_T_F64, 3, d, "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 4, 3), }"},
        {MK_T_I8, 4, d, "{'descr': '|i1', 'fortran_order': False, 'shape': (6, 5, 4, 3), }"},
        {MK_T_I16, 1, d, "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"},
        {MK_T_I32, 1, none, "{'descr': '<i4', 'fortran_order': False, 'shape': (0,), }"},
        {MK_T_I64, 1, d, "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }"},
        {MK_T_BF16, 1, d, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        static const bool orders[] = {false, true};
        for (size_t order = 0; order < COUNT(orders); order++) {
            size_t length = strlen(cases[i].text), n;
            struct opened o;
            struct mk m;
            char *npy;
            mk_start(&m, 3, orders[order]);
            mk_tensor(&m, "w", cases[i].type, cases[i].n_dims, cases[i].dims, 0);
            mk_data(&m);
            mk_zeros(&m, 4096);
            opened_start(&o, &m);
            npy = opened_text(&o, "views/npy/w.npy", &n);
            ck_assert_int_eq(memcmp(npy, "\x93NUMPY\x01\x00\x76\x00", 10), 0);
            ck_assert_int_eq(memcmp(npy + 10, cases[i].text, length), 0);
            for (size_t k = 10 + length; k < 127; k++)
                ck_assert_int_eq(npy[k], ' ');
            ck_assert_int_eq(npy[127], '\n');
            free(npy);
            opened_end(&o);
        }
    }
}
END_TEST

/* Dimensions of many digits need a longer header. */
START_TEST(npy_headers_grow_by_64)
{
    static const uint64_t d[] = {UINT64_C(1) << 62, 0, 1234567890123456789, UINT64_C(1) << 61};
    struct opened o;
    struct mk m;
    char *npy;
    size_t n;

    mk_start(&m, 3, false);
    mk_tensor(&m, "w", MK_T_F32, 4, d, 0);
    mk_data(&m);
    mk_zeros(&m, 100);
    opened_start(&o, &m);
    npy = opened_text(&o, "views/npy/w.npy", &n);
    ck_assert_uint_eq(n, 192);
    ck_assert_int_eq(memcmp(npy + 8, "\xB6\x00", 2), 0);
    ck_assert_ptr_nonnull(strstr(npy + 10, "'shape': (2305843009213693952, "
                                           "1234567890123456789, 0, 4611686018427387904), }"));
    ck_assert_int_eq(npy[191], '\n');
    free(npy);
    opened_end(&o);
}
END_TEST

/* Q1_0 has 128 values in 18 bytes, so that a view can be larger than any file may be. */
START_TEST(views_have_a_largest_size)
{
    static const uint64_t fits[] = {UINT64_C(1) << 59}, over[] = {UINT64_C(1) << 60};
    uint64_t bytes = (UINT64_C(1) << 52) * 18;
    struct opened o;
    struct mk m;
    char *text;

    mk_start(&m, 3, false);
    mk_tensor(&m, "fits", 41, 1, fits, 0);
    mk_tensor(&m, "over", 41, 1, over, bytes);
    mk_data(&m);
    m.file_size = m.data_at + 3 * bytes;
    opened_start(&o, &m);
    expect_attr(&o, "views/f32/fits.f32", 1, UINT64_C(1) << 61, 0);
    expect_attr(&o, "views/npy/fits.npy", 1, (UINT64_C(1) << 61) + 128, 0);
    ck_assert_uint_eq(opened_node(&o, "views/f32/over.f32"), 0);
    ck_assert_uint_eq(opened_node(&o, "views/npy/over.npy"), 0);
    expect_attr(&o, "tensors/over", 1, 2 * bytes, 2 * bytes / 512);
    expect_read(&o, "views/f32/fits.f32", (UINT64_C(1) << 61) - 100, 200, 100);
    text = opened_text(&o, "tensors.json", NULL);
    ck_assert_ptr_nonnull(strstr(text, "it would be larger than a file can be"));
    free(text);
    opened_end(&o);
}
END_TEST

/* Threads. */

#define THREADS 4

struct shared {
    struct opened *o;
    uint64_t seed;
    uint64_t sum;
    bool fine;
};

static uint64_t add_up(uint64_t sum, const char *bytes, size_t n)
{
    return (sum ^ ggfs_names_hash((struct ggfs_str){bytes, n})) * 31;
}

/* Reads everything in the order of the tree, a second time at random places. */
static void *read_everything(void *argument)
{
    struct shared *s = argument;
    struct opened *o = s->o;
    struct ggfs_scratch scratch;
    char *buffer = malloc(1 << 20);

    s->fine = buffer && ggfs_scratch_init(&scratch, NULL);
    for (unsigned kind = 1; s->fine && kind < GGFS_KIND_COUNT; kind++) {
        uint64_t count = ggfs_kinds[kind].count(o->tree);
        for (uint64_t i = 0; ggfs_kinds[kind].content->size && i < count; i++) {
            size_t got;
            uint64_t node = (uint64_t)kind << 40 | i;
            s->fine &= ggfs_tree_read(o->tree, node, suite_below(&s->seed, 1 << 16), buffer, 1000,
                                      &got, &scratch, NULL);
            s->fine &= ggfs_tree_read(o->tree, node, 0, buffer, 1 << 20, &got, &scratch, NULL);
            s->sum = add_up(s->sum, buffer, got);
        }
    }
    ggfs_scratch_free(&scratch);
    free(buffer);
    return NULL;
}

START_TEST(threads_read_the_same)
{
    uint64_t seed = suite_seed();

    for (int round = 0; round < 5; round++) {
        struct shared shared[THREADS];
        pthread_t threads[THREADS];
        struct opened o;
        opened_kind(&o, "sample", 0);
        for (int i = 0; i < THREADS; i++) {
            shared[i] = (struct shared){.o = &o, .seed = suite_random(&seed)};
            ck_assert_int_eq(pthread_create(&threads[i], NULL, read_everything, &shared[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            ck_assert(shared[i].fine);
            ck_assert_uint_eq(shared[i].sum, shared[0].sum);
        }
        opened_end(&o);
    }
}
END_TEST

/* Memory. */

static void touch(struct opened *o, uint64_t directory, const struct ggfs_tree_entry *entry,
                  void *context)
{
    struct ggfs_node_attr attr;
    struct ggfs_err err;
    uint64_t *refused = context, found;
    char bytes[200];
    size_t got;

    ggfs_err_init(&err, NULL);
    if (!ggfs_tree_attr(o->tree, entry->node, &attr, &err) ||
        !ggfs_tree_lookup(o->tree, directory, (struct ggfs_str){entry->name, entry->length}, &found,
                          &err) ||
        (!entry->directory && !ggfs_tree_read(o->tree, entry->node, attr.size / 2, bytes,
                                              sizeof bytes, &got, &o->scratch, &err))) {
        ck_assert_msg(err.kind == GGFS_ERR_MEMORY, "%s: %s", entry->name, err.text);
        (*refused)++;
    }
}

/* A walk that lists what it can. Returns how many calls found no memory. */
static uint64_t touch_all(struct opened *o)
{
    uint64_t refused = 0;

    for (unsigned kind = 0; kind < GGFS_KIND_COUNT; kind++) {
        uint64_t directory = kind ? (uint64_t)kind << 40 : GGFS_TREE_ROOT;
        struct ggfs_tree_entry entry;
        struct ggfs_err err;
        if (ggfs_kinds[kind].content->size || !ggfs_kinds[kind].count(o->tree))
            continue;
        ggfs_err_init(&err, NULL);
        for (uint64_t i = 0;
             ggfs_tree_entry(o->tree, directory, i, &entry, &err) && entry.node; i++)
            touch(o, directory, &entry, &refused);
        ck_assert(err.kind == GGFS_ERR_NONE || err.kind == GGFS_ERR_MEMORY);
        refused += err.kind == GGFS_ERR_MEMORY;
    }
    return refused;
}

/* The nth allocation fails and all later ones: errors, no crash, and once there is memory again
 * everything works. */
static void check_without_memory(struct opened *o, uint64_t *nth)
{
    bool ok = true;

    for (*nth = 1; ok; (*nth)++) {
        uint64_t refused;
        ggfs_mem_fail_at(*nth);
        if (!opened_try(o)) {
            ggfs_mem_fail_at(0);
            ck_assert_msg(o->err.kind == GGFS_ERR_MEMORY, "%" PRIu64 ": %s", *nth, o->err.text);
            continue;
        }
        refused = touch_all(o);
        ggfs_mem_fail_at(0);
        ck_assert_uint_eq(touch_all(o), 0);
        ok = refused > 0;
        opened_close(o);
    }
}

static void check_opened_without_memory(struct opened *o)
{
    uint64_t nth;

    opened_close(o);
    check_without_memory(o, &nth);
    ck_assert_uint_gt(nth, 10);
    opened_end(o);
}

START_TEST(every_allocation_may_fail)
{
    static const char *const kinds[] = {"vocab", "odd-names", "long-names", "sample"};
    struct opened o;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        opened_kind(&o, kinds[i], 4000);
        check_opened_without_memory(&o);
    }
}
END_TEST

START_TEST(every_allocation_of_old_containers_may_fail)
{
    struct opened o;

    for (const struct mk_kind *kind = mk_legacy_kinds; kind->name; kind++)
        if (open_old(&o, kind))
            check_opened_without_memory(&o);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        kind_numbers_are_frozen,
        inodes_are_kind_and_index,
        what_is_no_node,
        listings_and_lookups_agree,
        what_is_not_listed_is_not_found,
        errors_have_their_kind,
        listings_are_in_order,
        odd_names_are_listed,
        links_sizes_and_blocks,
        a_listing_sizes_nothing,
        pieces_equal_the_whole,
        long_texts_in_pieces,
        random_values_in_pieces,
        old_containers_have_the_same_tree,
        stored_bytes_have_an_extent,
        tensors_are_as_stored,
        reads_end_with_the_room,
        reads_end_where_the_file_was_cut,
        directories_are_not_read,
        npy_headers_are_those_of_numpy,
        npy_headers_grow_by_64,
        views_have_a_largest_size,
        threads_read_the_same,
        every_allocation_may_fail,
        every_allocation_of_old_containers_may_fail,
    };

    return suite_run("tree", tests, COUNT(tests));
}
