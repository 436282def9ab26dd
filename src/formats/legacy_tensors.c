/* SPDX-License-Identifier: MIT */
/* legacy_tensors.c - records as tensors of the model, and what their names and bytes tell. */
#include <config.h>

#include "base/mem.h"
#include "base/num.h"
#include "formats/legacy_build.h"
#include "model/model.h"

#include <string.h>

static bool is_super_block(uint8_t type)
{
    return type != GGFS_TYPE_NONE && ggfs_types[type].block_values == 256;
}

/* The first K tools let blocks run on from row to row; so did whisper.cpp's for a while, but later
 * it left the rest of each row as it was in memory, and nothing in the file tells which. */
static bool is_flat(const struct ggfs_legacy_build *build, const struct ggfs_legacy_record *record)
{
    return build->choice->walk.container->family == GGFS_LEGACY_GGJT &&
           is_super_block(record->type);
}

static bool take_record(void *context, const struct ggfs_legacy_record *record)
{
    struct ggfs_legacy_build *build = context;
    struct ggfs_model *model = build->model;
    struct ggfs_tensor *tensor = &model->tensors[model->n_tensors];
    const uint8_t *name;

    name = record->name_len ? ggfs_peek_at(build->peek, record->name_at, record->name_len)
                            : (const uint8_t *)"";
    if (!name)
        return false;
    *tensor = (struct ggfs_tensor){
        .name = {(const char *)name, record->name_len},
        .offset = record->data_at,
        .room = record->bytes,
        .at = record->at,
        .type_id = record->number,
        .type = record->type,
        .n_dims = record->n_dims,
        .exact = true,
        .flat = is_flat(build, record),
    };
    memcpy(tensor->ne, record->ne, sizeof tensor->ne);
    tensor->name.ptr = ggfs_arena_text(&model->arena, tensor->name, build->err);
    if (!tensor->name.ptr)
        return false;
    model->n_tensors++;
    return true;
}

static const struct ggfs_tensor *find_tensor(const struct ggfs_model *model, const char *name)
{
    struct ggfs_str wanted = ggfs_str_from(name);

    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_str_equal(model->tensors[i].name, wanted))
            return &model->tensors[i];
    return NULL;
}

static void reverse(struct ggfs_tensor *tensor)
{
    for (unsigned i = 0; i < tensor->n_dims / 2u; i++) {
        uint64_t other = tensor->ne[tensor->n_dims - 1 - i];
        tensor->ne[tensor->n_dims - 1 - i] = tensor->ne[i];
        tensor->ne[i] = other;
    }
}

/* For a few hours of 2023-04-01 rwkv.cpp wrote dimensions in PyTorch's order. A row of emb.weight
 * has n_embed values, which is word 1. */
static void settle_order(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    const struct ggfs_tensor *emb = find_tensor(build->model, "emb.weight");

    if (walk->container->family != GGFS_LEGACY_RWKV || walk->container->version != 100 || !emb ||
        emb->n_dims != 2 || emb->ne[0] == walk->words[1] || emb->ne[1] != walk->words[1])
        return;
    build->reversed = true;
    for (uint32_t i = 0; i < build->model->n_tensors; i++)
        reverse(&build->model->tensors[i]);
}

/* Without a tensor that tells, files with scores are llama's: vocabulary-only files are common. */
static void find_arch(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_choice *choice = build->choice;
    const struct ggfs_legacy_frame *frame = choice->walk.frame;

    build->arch = choice->forced_arch;
    for (size_t i = 0; i < frame->n_archs && !build->arch; i++)
        if (!frame->archs[i].marker || find_tensor(build->model, frame->archs[i].marker))
            build->arch = &frame->archs[i];
    if (build->arch || frame->n_archs == 0 || strcmp(frame->archs[0].name, "llama") != 0 ||
        !choice->walk.container->scores)
        return;
    build->arch = &frame->archs[0];
    build->arch_by_rule = true;
}

static void retype(struct ggfs_model *model, uint8_t from, uint8_t to)
{
    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (model->tensors[i].type == from)
            model->tensors[i].type = to;
}

/* Types 2 and 3 of llama's and bloom's plain ggml files may be planar: llama.cpp's for the first
 * day, Q4_1 for the first week; bloom's Q4_1 always. */
static bool settle_planar(struct ggfs_legacy_build *build)
{
    const char *arch = build->arch ? build->arch->gguf : "";
    bool bloom = strcmp(arch, "bloom") == 0, llama = strcmp(arch, "llama") == 0;
    int q4_0 = 0, q4_1 = 0;

    if (build->choice->walk.layout != &ggfs_legacy_layouts[GGFS_LAYOUT_V1] ||
        build->choice->walk.container->family != GGFS_LEGACY_GGML)
        return true;
    if (build->choice->forced_layout) {
        q4_0 = q4_1 = build->choice->forced_planar;
    } else {
        q4_0 = llama ? ggfs_legacy_planar(build, GGFS_TYPE_Q4_0_V1) : 0;
        q4_1 = llama || bloom ? ggfs_legacy_planar(build, GGFS_TYPE_Q4_1_V1) : 0;
        build->planar_by_rule = q4_1 < 0 && bloom;
        if (q4_1 < 0)
            q4_1 = bloom;
    }
    if (q4_0 > 0)
        retype(build->model, GGFS_TYPE_Q4_0_V1, GGFS_TYPE_Q4_0_PLANAR);
    if (q4_1 > 0)
        retype(build->model, GGFS_TYPE_Q4_1_V1, GGFS_TYPE_Q4_1_PLANAR);
    return build->err->kind == GGFS_ERR_NONE;
}

bool ggfs_legacy_build_tensors(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_visit visit = {.context = build, .record = take_record};
    struct ggfs_legacy_walk *walk = &build->choice->walk;
    struct ggfs_model *model = build->model;

    model->tensors = ggfs_mem_zero(walk->n_records, sizeof *model->tensors, build->err);
    if (!model->tensors)
        return false;
    if (!ggfs_legacy_walk_records(walk, &visit))
        return ggfs_fail(build->err, GGFS_ERR_IO, GGFS_NO_OFFSET, NULL,
                         "was changed while it was read");
    find_arch(build);
    settle_order(build);
    return settle_planar(build);
}
