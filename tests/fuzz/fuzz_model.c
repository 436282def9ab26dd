/* SPDX-License-Identifier: MIT */
/* fuzz_model.c - any bytes as a model file: opened, checked, and walked as a mount would be. */
#include <config.h>

#include "check/check.h"
#include "decode/decode.h"
#include "formats/format.h"
#include "fuzz.h"
#include "kernels/kernels.h"
#include "tree/tree.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Enough to meet every kind of file; a model with more is cut here, not its parsing. */
#define MOST_ENTRIES 64
#define MOST_DEPTH 4
#define PIECE 4096

struct walk {
    struct ggfs_tree *tree;
    struct ggfs_scratch scratch;
};

static void read_at(struct walk *walk, uint64_t node, uint64_t offset, uint64_t size)
{
    static char bytes[PIECE];
    struct ggfs_extent extent;
    struct ggfs_err err;
    size_t got = 0;

    ggfs_err_init(&err, NULL);
    if (ggfs_tree_read(walk->tree, node, offset, bytes, sizeof bytes, &got, &walk->scratch, &err))
        FUZZ_EXPECT(got <= sizeof bytes && got <= size - offset);
    else
        FUZZ_EXPECT(err.kind != GGFS_ERR_NONE && got == 0);
    if (ggfs_tree_extent(walk->tree, node, offset, sizeof bytes, &extent))
        FUZZ_EXPECT(extent.n <= sizeof bytes);
}

static void read_file(struct walk *walk, uint64_t node, uint64_t size)
{
    read_at(walk, node, 0, size);
    if (size > PIECE / 2)
        read_at(walk, node, size - PIECE / 2, size);
    if (size > 2 * PIECE)
        read_at(walk, node, size / 2 + 1, size);
}

/* The entry leads back to itself by name. */
static void look_up(struct walk *walk, uint64_t directory, const struct ggfs_tree_entry *entry)
{
    struct ggfs_str name = {entry->name, entry->length};
    struct ggfs_err err;
    uint64_t node = 0;

    ggfs_err_init(&err, NULL);
    FUZZ_EXPECT(entry->length >= 1 && entry->length <= GGFS_TREE_NAME_MAX);
    FUZZ_EXPECT(!memchr(entry->name, '/', entry->length));
    FUZZ_EXPECT(strlen(entry->name) == entry->length);
    FUZZ_EXPECT(strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0);
    FUZZ_EXPECT(ggfs_tree_lookup(walk->tree, directory, name, &node, &err));
    FUZZ_EXPECT(node == entry->node);
    FUZZ_EXPECT(ggfs_tree_parent(walk->tree, node) == directory);
}

static void visit(struct walk *walk, uint64_t directory, unsigned depth)
{
    struct ggfs_tree_entry entry;
    struct ggfs_node_attr attr;
    struct ggfs_err err;

    for (uint64_t i = 0; i < MOST_ENTRIES; i++) {
        ggfs_err_init(&err, NULL);
        FUZZ_EXPECT(ggfs_tree_entry(walk->tree, directory, i, &entry, &err));
        if (!entry.node)
            return;
        look_up(walk, directory, &entry);
        FUZZ_EXPECT(ggfs_tree_attr(walk->tree, entry.node, &attr, &err));
        FUZZ_EXPECT(attr.directory == entry.directory && attr.size <= INT64_MAX);
        if (!entry.directory)
            read_file(walk, entry.node, attr.size);
        else if (depth < MOST_DEPTH)
            visit(walk, entry.node, depth + 1);
    }
}

static void ignore(void *context, const struct ggfs_finding *finding)
{
    *(size_t *)context += finding->text.len;
}

static void walk_model(struct ggfs_model *model)
{
    struct ggfs_check_counts counts;
    struct walk walk = {0};
    struct ggfs_err err;
    size_t told = 0;

    ggfs_err_init(&err, NULL);
    FUZZ_EXPECT(ggfs_check_model(model, true, ignore, &told, &counts, &err));
    walk.tree = ggfs_tree_new(model, &err);
    FUZZ_EXPECT(walk.tree && ggfs_scratch_init(&walk.scratch, &err));
    visit(&walk, GGFS_TREE_ROOT, 0);
    ggfs_scratch_free(&walk.scratch);
    ggfs_tree_free(walk.tree);
}

/* The file that all inputs are written to in turn. */
static int input_file(const uint8_t *bytes, size_t size, char path[32])
{
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("model", MFD_CLOEXEC);
        FUZZ_EXPECT(fd >= 0 && ggfs_kernels_init(NULL));
    }
    FUZZ_EXPECT(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct ggfs_open_options options;
    char path[32], line[4 * sizeof(struct ggfs_err)];
    struct ggfs_model *model;
    struct ggfs_err err;

    input_file(bytes, size, path);
    ggfs_err_init(&err, path);
    model = ggfs_formats_open(path, &options, &err);
    if (model) {
        walk_model(model);
    } else {
        FUZZ_EXPECT(err.kind != GGFS_ERR_NONE && err.text[0]);
        FUZZ_EXPECT(err.offset == GGFS_NO_OFFSET || err.offset <= size);
        ggfs_err_format(&err, line, sizeof line);
        FUZZ_EXPECT(!strchr(line, '\n'));
    }
    ggfs_model_free(model);
    return 0;
}
