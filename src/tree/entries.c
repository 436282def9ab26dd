/* SPDX-License-Identifier: MIT */
/* entries.c - what a directory holds: looked up by name, listed by position. */
#include <config.h>

#include "base/text.h"
#include "tree/nodes.h"

#include <string.h>

static bool directory_from(const struct ggfs_tree *tree, uint64_t number, struct ggfs_node *node,
                           struct ggfs_err *err)
{
    if (!ggfs_node_from(tree, number, node))
        return ggfs_node_fail(number, err);
    if (!ggfs_node_is_directory(node->kind))
        return ggfs_fail(err, GGFS_ERR_NOT_DIR, GGFS_NO_OFFSET, NULL, "not a directory");
    return true;
}

static bool find_number(struct ggfs_str name, uint64_t *index)
{
    char digits[GGFS_TEXT_NUMBER];
    uint64_t number = 0;

    if (name.len == 0 || name.len > 10)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] < '0' || name.ptr[i] > '9')
            return false;
        number = number * 10 + (uint64_t)(name.ptr[i] - '0');
    }
    *index = number;
    return ggfs_text_u64(digits, number) == name.len; /* without padding */
}

/* The item of one row that bears name. *found false: none. */
static bool find_in_row(struct ggfs_tree *tree, enum ggfs_kind_number kind, struct ggfs_str name,
                        bool *found, uint64_t *index, struct ggfs_err *err)
{
    const struct ggfs_kind *row = &ggfs_kinds[kind];
    const struct ggfs_index *names;
    uint32_t item = 0;

    *index = 0;
    if (row->family == GGFS_FAMILY_NONE) {
        *found = ggfs_str_equal(name, ggfs_str_from(row->name));
    } else if (row->family == GGFS_FAMILY_NUMBERS) {
        *found = find_number(name, index);
    } else {
        names = ggfs_tree_names(tree, (enum ggfs_family)row->family, err);
        if (!names)
            return false;
        *found = ggfs_index_find(names, name, ggfs_str_from(row->name), &item);
        *index = item;
    }
    *found = *found && ggfs_node_exists(tree, kind, *index);
    return true;
}

bool ggfs_tree_lookup(struct ggfs_tree *tree, uint64_t directory, struct ggfs_str name,
                      uint64_t *number, struct ggfs_err *err)
{
    struct ggfs_node node;
    bool found = false;
    uint64_t index;

    *number = 0;
    if (!directory_from(tree, directory, &node, err))
        return false;
    if (name.len > GGFS_TREE_NAME_MAX)
        return ggfs_fail(err, GGFS_ERR_NAME, GGFS_NO_OFFSET, NULL,
                         "a name of %zu bytes, at most %d", name.len, GGFS_TREE_NAME_MAX);
    for (size_t i = 0; i < GGFS_NODE_ROWS && !found; i++) {
        enum ggfs_kind_number kind = (enum ggfs_kind_number)ggfs_node_rows[i];
        if (!ggfs_node_is_child(kind, node.kind))
            continue;
        if (!find_in_row(tree, kind, name, &found, &index, err))
            return false;
        if (found)
            *number = ggfs_node_number(kind, index);
    }
    return true;
}

static bool put_name(struct ggfs_tree *tree, struct ggfs_node node, struct ggfs_tree_entry *entry,
                     struct ggfs_err *err)
{
    const struct ggfs_kind *row = &ggfs_kinds[node.kind];
    struct ggfs_str suffix = ggfs_str_from(row->name);
    const struct ggfs_index *names;

    if (row->family == GGFS_FAMILY_NONE) {
        memcpy(entry->name, suffix.ptr, suffix.len);
        entry->length = suffix.len;
    } else if (row->family == GGFS_FAMILY_NUMBERS) {
        entry->length = ggfs_text_u64(entry->name, node.index);
    } else {
        names = ggfs_tree_names(tree, (enum ggfs_family)row->family, err);
        if (!names)
            return false;
        entry->length = ggfs_index_file(names, (uint32_t)node.index, suffix, entry->name);
    }
    entry->name[entry->length] = '\0';
    return true;
}

static bool fill_entry(struct ggfs_tree *tree, enum ggfs_kind_number kind, uint64_t place,
                       struct ggfs_tree_entry *entry, struct ggfs_err *err)
{
    bool views = ggfs_kinds[kind].count == ggfs_count_views;
    struct ggfs_node node = {kind, views ? tree->views[place] : place};

    entry->node = ggfs_node_number(kind, node.index);
    entry->directory = ggfs_node_is_directory(kind);
    return put_name(tree, node, entry, err);
}

bool ggfs_tree_entry(struct ggfs_tree *tree, uint64_t directory, uint64_t position,
                     struct ggfs_tree_entry *entry, struct ggfs_err *err)
{
    struct ggfs_node node;

    entry->node = 0;
    if (!directory_from(tree, directory, &node, err))
        return false;
    for (size_t i = 0; i < GGFS_NODE_ROWS; i++) {
        enum ggfs_kind_number kind = (enum ggfs_kind_number)ggfs_node_rows[i];
        uint64_t count;
        if (!ggfs_node_is_child(kind, node.kind))
            continue;
        count = ggfs_kinds[kind].count(tree);
        if (position < count)
            return fill_entry(tree, kind, position, entry, err);
        position -= count;
    }
    return true;
}

uint64_t ggfs_tree_parent(const struct ggfs_tree *tree, uint64_t number)
{
    struct ggfs_node node;

    if (!ggfs_node_from(tree, number, &node))
        return GGFS_TREE_ROOT;
    return ggfs_node_number((enum ggfs_kind_number)ggfs_kinds[node.kind].parent, 0);
}
