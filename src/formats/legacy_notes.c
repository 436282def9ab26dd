/* SPDX-License-Identifier: MIT */
/* legacy_notes.c - sentences about what a file was taken for, and how sure that is. Nothing in the
 * file says it, so the notes do: by test, or by rule, and what else would have fitted. */
#include <config.h>

#include "formats/legacy_build.h"
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct ggfs_note note_of(enum ggfs_level level, uint64_t offset)
{
    return (struct ggfs_note){.check = "frame", .level = level, .offset = offset};
}

/* Fits as well as the chosen one, but for its ftype. */
static bool is_rival(const struct ggfs_legacy_choice *choice,
                     const struct ggfs_legacy_candidate *other)
{
    return other->frame != choice->walk.frame && other->end == choice->walk.end &&
           (other->end != GGFS_END_CUT || other->n_records == choice->walk.n_records);
}

static size_t count_rivals(const struct ggfs_legacy_choice *choice, bool good)
{
    size_t n = 0;

    for (size_t i = 0; i < choice->n_fitted; i++)
        n += is_rival(choice, &choice->fitted[i]) && (choice->fitted[i].good || !good);
    return n;
}

/* Why this frame and no other. */
static const char *frame_reason(const struct ggfs_legacy_choice *choice, enum ggfs_level *level)
{
    *level = GGFS_LEVEL_NOTE;
    if (choice->forced_frame)
        return "as -o frame says";
    if (choice->n_tried == 1)
        return "the only one of this container";
    if (!choice->good) {
        *level = GGFS_LEVEL_WARNING;
        return "not sure: it ends where the file does, but its ftype names no type of the matrices";
    }
    if (count_rivals(choice, true) > 0) {
        *level = GGFS_LEVEL_WARNING;
        return "by rule, not sure: the first of those that fit; -o frame chooses another";
    }
    if (choice->walk.end == GGFS_END_CUT)
        return "by test, of a file that is cut: the one whose ftype fits, and that gets farthest";
    if (choice->walk.n_records == 0)
        return "by test: the only one that ends where the file does, though there are no tensors";
    if (count_rivals(choice, false) > 0)
        return "by test: of those that end where the file does, the one whose ftype fits";
    return "by test: the only one that ends where the file does";
}

static bool note_frame(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_arch *arch = build->arch;
    enum ggfs_level level;
    const char *reason = frame_reason(build->choice, &level);
    const struct ggfs_note note = note_of(level, GGFS_NO_OFFSET);

    return ggfs_model_note(build->model, &note, build->err, "read with frame %s%s%s%s%s%s, %s",
                           build->choice->walk.frame->name, arch ? ", architecture " : "",
                           arch ? arch->gguf : "", arch && arch->also ? " (or " : "",
                           arch && arch->also ? arch->also : "",
                           arch && arch->also ? ": nothing in the file tells)" : "", reason);
}

static bool note_arch(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    if (build->arch_by_rule)
        return ggfs_model_note(build->model, &note, build->err,
                               "architecture %s by rule: no tensor tells it, and most files with "
                               "scores are of this one",
                               build->arch->gguf);
    if (build->arch || build->choice->walk.frame->n_archs == 0)
        return true;
    return ggfs_model_note(build->model, &note, build->err,
                           "no tensor name tells the architecture");
}

static bool note_others(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_choice *choice = build->choice;
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    for (size_t i = 0; i < choice->n_fitted; i++) {
        const struct ggfs_legacy_candidate *other = &choice->fitted[i];
        if (!is_rival(choice, other))
            continue;
        if (!ggfs_model_note(build->model, &note, build->err,
                             "frame %s ends in the same place%s: its ftype is %" PRIu32,
                             other->frame->name, other->good ? "" : ", but it does not fit",
                             other->ftype))
            return false;
    }
    return true;
}

static bool has_blocks(const struct ggfs_model *model)
{
    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_types[model->tensors[i].type].block_values > 1)
            return true;
    return false;
}

/* Why this block layout. */
static const char *layout_reason(const struct ggfs_legacy_choice *choice)
{
    const struct ggfs_legacy_walk *walk = &choice->walk;
    enum ggfs_legacy_layout_id id =
        (enum ggfs_legacy_layout_id)(walk->layout - ggfs_legacy_layouts);
    uint32_t digit = walk->ftype / 1000;

    if (choice->forced_layout)
        return "as -o layout says";
    if (id == GGFS_LAYOUT_V1_TYPE6)
        return "by test: type 6 is Q8_0 here, as for one day; as Q5_0 the records do not end where "
               "the file does";
    if (id == GGFS_LAYOUT_V3_64)
        return "by test: with blocks of 256 values the records do not end where the file does";
    if (walk->container->version)
        return "by the container's version";
    if (digit)
        return "by the thousands of ftype";
    if (walk->frame->no_digit)
        return "by test: ftype has no thousands, and the records end where the file does";
    if (id == GGFS_LAYOUT_V3_GGML)
        return "by test: ftype has no thousands, and as v1 the records do not end where the file "
               "does";
    return "by rule: ftype has no thousands";
}

static bool note_layout(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    if (!has_blocks(build->model))
        return true;
    return ggfs_model_note(build->model, &note, build->err, "block layout %s, %s",
                           build->choice->walk.layout->name, layout_reason(build->choice));
}

/* Which types are planar, and which could be and are not. */
static bool note_planar(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);
    const char *how = build->choice->forced_layout ? "as -o layout says" : "by test of the scales";

    for (uint32_t i = 0; i < build->model->n_tensors; i++) {
        uint8_t type = build->model->tensors[i].type;
        if (type != GGFS_TYPE_Q4_0_PLANAR && type != GGFS_TYPE_Q4_1_PLANAR)
            continue;
        if (build->planar_by_rule)
            how = "by rule, as always in bloom's files: the rows are too short for a test";
        return ggfs_model_note(build->model, &note, build->err,
                               "rows of type %" PRIu32 " are planar, %s",
                               build->model->tensors[i].type_id, how);
    }
    return true;
}

/* Too few bytes for a record. They may be the beginning of one. */
static bool note_surplus(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    uint64_t n = build->peek->source->size - walk->records_end;
    const uint8_t *p = ggfs_peek_at(build->peek, walk->records_end, (size_t)n);
    bool like_record = p && p[0] >= 1 && p[0] <= 4 && (n < 2 || p[1] == 0);
    const struct ggfs_note note =
        note_of(like_record ? GGFS_LEVEL_WARNING : GGFS_LEVEL_NOTE, walk->records_end);

    return ggfs_model_note(build->model, &note, build->err,
                           "%" PRIu64 " bytes behind the last tensor %s; the programs of the time "
                           "did not see them",
                           n,
                           like_record ? "may be the beginning of another: the file may be cut"
                                       : "belong to nothing");
}

static bool note_end(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    const struct ggfs_note note = note_of(GGFS_LEVEL_WARNING, walk->records_end);

    if (walk->end == GGFS_END_SURPLUS)
        return note_surplus(build);
    return walk->end != GGFS_END_CUT ||
           ggfs_model_note(build->model, &note, build->err,
                           "the file is cut inside the last of its %" PRIu32 " tensors; how many "
                           "more there were is not known",
                           walk->n_records);
}

/* The number of the layer that a tensor belongs to: the first number in its name between `.` and
 * `.`, or between `h` and `/`. */
static bool layer_of(struct ggfs_str name, uint64_t *layer)
{
    for (size_t i = 1; i < name.len; i++) {
        size_t end = i;
        if (name.ptr[i - 1] != '.' && name.ptr[i - 1] != 'h')
            continue;
        *layer = 0;
        while (end < name.len && end < i + 6 && name.ptr[end] >= '0' && name.ptr[end] <= '9')
            *layer = *layer * 10 + (uint64_t)(name.ptr[end++] - '0');
        if (end > i && end < name.len && (name.ptr[end] == '.' || name.ptr[end] == '/'))
            return true;
    }
    return false;
}

/* A file that is cut between two records looks whole; but its layers end too early. */
static bool note_layers(struct ggfs_legacy_build *build)
{
    const struct ggfs_model *model = build->model;
    const struct ggfs_key *key = ggfs_model_key(model, "hparams.n_layer");
    const struct ggfs_note note = note_of(GGFS_LEVEL_WARNING, GGFS_NO_OFFSET);
    uint64_t wanted, layer, layers = 0;

    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (layer_of(model->tensors[i].name, &layer) && layer >= layers)
            layers = layer + 1;
    if (!key || !ggfs_value_as_u64(&key->value, &wanted) || layers == 0 || layers >= wanted)
        return true;
    return ggfs_model_note(build->model, &note, build->err,
                           "n_layer is %" PRIu64 ", but there are tensors of %" PRIu64
                           " layers only: the file may be cut between two tensors",
                           wanted, layers);
}

static bool note_order(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    return !build->reversed ||
           ggfs_model_note(build->model, &note, build->err,
                           "dimensions stand in PyTorch's order in the file, as of 2023-04-01, and "
                           "are turned: by test of emb.weight");
}

static bool note_nameless(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    return !build->choice->walk.frame->nameless ||
           ggfs_model_note(build->model, &note, build->err,
                           "its tensors have no names: weight and bias of two layers, as in ggml's "
                           "MNIST example");
}

/* Super-blocks that do not end with the row. */
static bool note_rows(struct ggfs_legacy_build *build)
{
    const struct ggfs_note note = note_of(GGFS_LEVEL_NOTE, GGFS_NO_OFFSET);

    for (uint32_t i = 0; i < build->model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &build->model->tensors[i];
        if (tensor->ne[0] % ggfs_types[tensor->type].block_values == 0)
            continue;
        return ggfs_model_note(build->model, &note, build->err, "%s",
                               tensor->flat
                                   ? "rows are no whole number of blocks: blocks run on across rows"
                                   : "rows are no whole number of blocks: whether blocks run on "
                                     "across rows or leave rests cannot be told");
    }
    return true;
}

bool ggfs_legacy_build_notes(struct ggfs_legacy_build *build)
{
    return note_frame(build) && note_arch(build) && note_others(build) && note_layout(build) &&
           note_planar(build) && note_rows(build) && note_nameless(build) && note_order(build) &&
           note_end(build) && note_layers(build);
}
