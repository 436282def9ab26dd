/* SPDX-License-Identifier: MIT */
/* legacy.c - the containers from before GGUF: which frame, then the model. */
#include <config.h>

#include "formats/legacy.h"

#include "base/mem.h"
#include "formats/legacy_build.h"
#include "formats/legacy_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool probe(const uint8_t *head, size_t n)
{
    return ggfs_legacy_container_by_magic(head, n) != NULL;
}

/* `ggml little-endian`, `ggjt 3 little-endian` */
static bool describe(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_container *container = build->choice->walk.container;
    struct ggfs_model *model = build->model;
    struct ggfs_source *source = &model->sources[0];
    char format[48], version[16] = "";

    if (container->version)
        snprintf(version, sizeof version, " %" PRIu32, container->version);
    snprintf(format, sizeof format, "%s%s little-endian", container->name, version);
    model->format = ggfs_arena_text(&model->arena, ggfs_str_from(format), build->err);
    source->len_bytes = 4;
    source->records = GGFS_RECORDS_GGML;
    source->alignment = container->padded ? GGFS_LEGACY_ALIGNMENT : 0;
    return model->format != NULL;
}

static bool build_model(struct ggfs_legacy_build *build)
{
    return ggfs_legacy_build_tensors(build) && ggfs_legacy_build_keys(build) && describe(build) &&
           ggfs_legacy_build_notes(build);
}

static bool parse(struct ggfs_model *model, const struct ggfs_open_options *options,
                  struct ggfs_err *err)
{
    struct ggfs_legacy_choice *choice = ggfs_mem_zero(1, sizeof *choice, err);
    struct ggfs_peek peek = {0};
    struct ggfs_legacy_build build = {.model = model, .choice = choice, .peek = &peek, .err = err};
    bool ok = choice && ggfs_peek_init(&peek, &model->sources[0], err) &&
              ggfs_legacy_choose(choice, &peek, options, err) && build_model(&build);

    ggfs_peek_free(&peek);
    free(choice);
    /* A walk that stopped for a reason of its own has left no error. */
    return ok || (err->kind == GGFS_ERR_NONE && ggfs_fail(err, GGFS_ERR_IO, GGFS_NO_OFFSET, NULL,
                                                          "was changed while it was read"));
}

const struct ggfs_format ggfs_format_legacy = {"ggml", probe, parse, ggfs_legacy_join};
