/* SPDX-License-Identifier: MIT */
/* names.c - checks of the names of keys and tensors. */
#include <config.h>

#include "base/mem.h"
#include "base/text.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stdlib.h>

/* The specification's limit for keys, and what ggml takes of a tensor's name. */
#define KEY_NAME_MAX 65535
#define TENSOR_NAME_MAX 63

/* Offset of a name behind its length. */
static uint64_t bytes_at(const struct ggfs_report *report, uint32_t source, uint64_t at)
{
    return at + report->model->sources[source].len_bytes;
}

/* What is odd about a name's bytes, and where it is; NULL: nothing. */
static const char *odd_bytes(struct ggfs_str name, size_t *at)
{
    size_t n = 1;

    for (*at = 0; *at < name.len; *at += n) {
        unsigned char byte = (unsigned char)name.ptr[*at];
        n = ggfs_text_utf8(name.ptr + *at, name.len - *at);
        if (n == 0)
            return "not valid UTF-8";
        if (byte < 0x20 || byte == 0x7f)
            return "holds a control character";
    }
    return NULL;
}

static void check_key_name(const struct ggfs_report *report, const struct ggfs_key *key)
{
    uint64_t bytes = bytes_at(report, key->source, key->at);
    const char *odd;
    size_t at;

    if (key->name.len == 0)
        ggfs_report_key(report, key, "key.length", key->at, GGFS_LEVEL_WARNING, "the key is empty");
    else if (key->name.len > KEY_NAME_MAX)
        ggfs_report_key(report, key, "key.length", key->at, GGFS_LEVEL_NOTE,
                        "%zu bytes, at most %d are allowed", key->name.len, KEY_NAME_MAX);
    odd = odd_bytes(key->name, &at);
    if (odd)
        ggfs_report_key(report, key, "key.bytes", bytes + at, GGFS_LEVEL_NOTE, "%s", odd);
}

static void check_tensor_name(const struct ggfs_report *report, uint32_t index)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];
    uint64_t bytes = ggfs_tensor_name_at(report->model, tensor);
    const char *odd;
    size_t at;

    if (tensor->name.len == 0)
        ggfs_report_place(report, index, "name.length", tensor->at, GGFS_LEVEL_NOTE,
                          "the name is empty");
    else if (tensor->name.len > TENSOR_NAME_MAX)
        ggfs_report_place(report, index, "name.length", tensor->at, GGFS_LEVEL_NOTE,
                          "%zu bytes, ggml takes at most %d", tensor->name.len, TENSOR_NAME_MAX);
    odd = odd_bytes(tensor->name, &at);
    if (odd)
        ggfs_report_place(report, index, "name.bytes", bytes + at, GGFS_LEVEL_NOTE, "%s", odd);
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

    ggfs_report_key(report, key, "key.bytes", bytes_at(report, key->source, key->at),
                    GGFS_LEVEL_WARNING, "the same key as kv[%" PRIu32 "], which counts", first);
}

static void repeated_tensor(const struct ggfs_report *report, uint32_t index, uint32_t first)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];

    ggfs_report_place(report, index, "name.bytes", ggfs_tensor_name_at(report->model, tensor),
                      GGFS_LEVEL_WARNING, "the same name as tensor[%" PRIu32 "]", first);
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
