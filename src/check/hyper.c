/* SPDX-License-Identifier: MIT */
/* hyper.c - checks of the architecture's keys against what there is: blocks, tokens, embedding. */
#include <config.h>

#include "base/mem.h"
#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* llama.cpp takes 512; one byte of memory each. */
#define BLOCKS_MAX 65536

/* The first key ARCHITECTURE.NAME that is a number that is not negative. NULL: there is none. */
static const struct ggfs_key *arch_number(const struct ggfs_model *model, const char *name,
                                          uint64_t *value)
{
    struct ggfs_str arch = ggfs_model_text(model, "general.architecture"), rest;

    for (uint32_t i = 0; i < model->n_keys; i++) {
        const struct ggfs_key *key = &model->keys[i];
        if (!ggfs_str_starts(key->name, arch) || key->name.len == arch.len)
            continue;
        rest = (struct ggfs_str){key->name.ptr + arch.len + 1, key->name.len - arch.len - 1};
        if (key->name.ptr[arch.len] == '.' && ggfs_str_equal(rest, ggfs_str_from(name)))
            return ggfs_value_as_u64(&key->value, value) ? key : NULL;
    }
    return NULL;
}

static const struct ggfs_tensor *find_tensor(const struct ggfs_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_str_equal(model->tensors[i].name, ggfs_str_from(name)))
            return &model->tensors[i];
    return NULL;
}

static void compare_tokens(const struct ggfs_report *report, const struct ggfs_tensor *embedding)
{
    const struct ggfs_key *tokens = ggfs_model_key(report->model, "tokenizer.ggml.tokens"), *key;
    uint64_t size;

    if (!tokens || tokens->value.type != GGFS_VALUE_ARR)
        return;
    key = arch_number(report->model, "vocab_size", &size);
    if (key && size != tokens->value.count)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_NOTE,
                        "%" PRIu64 ", but the number of tokens is %" PRIu64, size,
                        tokens->value.count);
    if (embedding && embedding->n_dims > 1 && embedding->ne[1] != tokens->value.count)
        ggfs_report_key(report, tokens, "count", tokens->type_at + 8, GGFS_LEVEL_WARNING,
                        "%" PRIu64 " tokens, but token_embd.weight has rows for %" PRIu64,
                        tokens->value.count, embedding->ne[1]);
}

bool ggfs_check_embedding(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_tensor *embedding = find_tensor(report->model, "token_embd.weight");
    const struct ggfs_key *key;
    uint64_t length;

    (void)err;
    key = arch_number(report->model, "embedding_length", &length);
    if (key && embedding && embedding->ne[0] != length)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "%" PRIu64 ", but a row of token_embd.weight has %" PRIu64 " values",
                        length, embedding->ne[0]);
    compare_tokens(report, embedding);
    return true;
}

/* Adapters have tensors of some blocks only, and so has one shard of many. */
static bool is_whole(const struct ggfs_model *model)
{
    struct ggfs_str type = ggfs_model_text(model, "general.type");
    const struct ggfs_key *split = ggfs_model_key(model, "split.count");
    uint64_t shards;

    if (split && ggfs_value_as_u64(&split->value, &shards) && shards > model->n_sources)
        return false;
    return type.len == 0 || ggfs_str_equal(type, GGFS_STR("model"));
}

/* N of a name `blk.N.` that goes on, below BLOCKS_MAX. */
static bool block_number(struct ggfs_str name, uint32_t *number)
{
    size_t i = 4;

    if (!ggfs_str_starts(name, GGFS_STR("blk.")))
        return false;
    for (*number = 0; i < name.len && name.ptr[i] >= '0' && name.ptr[i] <= '9'; i++) {
        *number = *number * 10 + (uint32_t)(name.ptr[i] - '0');
        if (*number >= BLOCKS_MAX)
            return false;
    }
    return i > 4 && i < name.len && name.ptr[i] == '.';
}

struct blocks {
    bool *seen;
    uint32_t n, highest; /* different ones, and the highest number */
};

static void see_blocks(const struct ggfs_model *model, struct blocks *blocks)
{
    uint32_t number;

    for (uint32_t i = 0; i < model->n_tensors; i++) {
        if (!block_number(model->tensors[i].name, &number))
            continue;
        blocks->n += !blocks->seen[number];
        blocks->seen[number] = true;
        if (number > blocks->highest)
            blocks->highest = number;
    }
}

static uint32_t first_unseen(const struct blocks *blocks)
{
    uint32_t i = 0;

    while (i < BLOCKS_MAX && blocks->seen[i])
        i++;
    return i;
}

static void compare_blocks(const struct ggfs_report *report, const struct ggfs_key *key,
                           uint64_t count, const struct blocks *blocks)
{
    uint32_t unseen = first_unseen(blocks);

    if (unseen < count)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "%" PRIu64 " blocks, but there is no tensor of blk.%" PRIu32, count,
                        unseen);
    if (blocks->highest >= count)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_WARNING,
                        "%" PRIu64 " blocks, but there are tensors of blk.%" PRIu32, count,
                        blocks->highest);
}

bool ggfs_check_blocks(const struct ggfs_report *report, struct ggfs_err *err)
{
    const struct ggfs_key *key;
    struct blocks blocks = {0};
    uint64_t count;

    key = arch_number(report->model, "block_count", &count);
    if (!key || !is_whole(report->model))
        return true;
    blocks.seen = ggfs_mem_zero(BLOCKS_MAX, sizeof *blocks.seen, err);
    if (!blocks.seen)
        return false;
    see_blocks(report->model, &blocks);
    /* Other names of blocks (enc.blk.0, v.blk.0) are another matter. */
    if (blocks.n)
        compare_blocks(report, key, count, &blocks);
    free(blocks.seen);
    return true;
}
