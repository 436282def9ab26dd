/* SPDX-License-Identifier: MIT */
/* names.c - checks of the names of keys and tensors. */
#include <config.h>

#include "base/mem.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stdlib.h>

/* The specification's limit for keys, and what ggml takes of a tensor's name. */
#define KEY_NAME_MAX 65535
#define TENSOR_NAME_MAX 63

static void check_key_name(const struct ggfs_report *report, const struct ggfs_key *key)
{
    if (key->name.len == 0)
        ggfs_report_key(report, key, "key.length", key->at, GGFS_LEVEL_WARNING, "the key is empty");
    else if (key->name.len > KEY_NAME_MAX)
        ggfs_report_key(report, key, "key.length", key->at, GGFS_LEVEL_NOTE,
                        "%zu bytes, at most %d are allowed", key->name.len, KEY_NAME_MAX);
}

static void check_tensor_name(const struct ggfs_report *report, uint32_t index)
{
    size_t n = report->model->tensors[index].name.len;

    if (n == 0)
        ggfs_report_tensor_name(report, index, GGFS_LEVEL_NOTE, "the name is empty");
    else if (n > TENSOR_NAME_MAX)
        ggfs_report_tensor_name(report, index, GGFS_LEVEL_NOTE, "%zu bytes, ggml takes at most %d",
                                n, TENSOR_NAME_MAX);
}

bool ggfs_check_name(const struct ggfs_report *report, struct ggfs_err *err)
{
    (void)err;
    for (uint32_t i = 0; i < report->model->n_keys; i++)
        check_key_name(report, &report->model->keys[i]);
    for (uint32_t i = 0; i < report->model->n_tensors; i++)
        check_tensor_name(report, i);
    return true;
}

struct named {
    struct ggfs_str name;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = ggfs_str_compare(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Calls repeat for each bearer of a name but the first. */
static void find_repeats(const struct ggfs_report *report, struct named *list, uint32_t n,
                         void (*repeat)(const struct ggfs_report *, uint32_t index, uint32_t first))
{
    uint32_t first = 0;

    qsort(list, n, sizeof *list, by_name);
    for (uint32_t i = 1; i < n; i++) {
        if (ggfs_str_equal(list[i].name, list[first].name))
            repeat(report, list[i].index, list[first].index);
        else
            first = i;
    }
}

static void repeated_key(const struct ggfs_report *report, uint32_t index, uint32_t first)
{
    const struct ggfs_key *key = &report->model->keys[index];
    uint64_t at = key->at + report->model->sources[key->source].len_bytes;

    ggfs_report_key(report, key, "key.bytes", at, GGFS_LEVEL_WARNING,
                    "the same key as kv[%" PRIu32 "], which counts", first);
}

static void repeated_tensor(const struct ggfs_report *report, uint32_t index, uint32_t first)
{
    ggfs_report_tensor_name(report, index, GGFS_LEVEL_WARNING,
                            "the same name as tensor[%" PRIu32 "]", first);
}

bool ggfs_check_duplicate(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_model *model = report->model;
    uint32_t n = model->n_keys > model->n_tensors ? model->n_keys : model->n_tensors;
    struct named *list = ggfs_mem_zero(n, sizeof *list, err);

    if (!list)
        return false;
    for (uint32_t i = 0; i < model->n_keys; i++)
        list[i] = (struct named){model->keys[i].name, i};
    find_repeats(report, list, model->n_keys, repeated_key);
    for (uint32_t i = 0; i < model->n_tensors; i++)
        list[i] = (struct named){model->tensors[i].name, i};
    find_repeats(report, list, model->n_tensors, repeated_tensor);
    free(list);
    return true;
}
