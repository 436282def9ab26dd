/* SPDX-License-Identifier: MIT */
/* legacy_build.h - a file from before GGUF, its frame and layout being known, as a model. */
#ifndef GGFS_FORMATS_LEGACY_BUILD_H
#define GGFS_FORMATS_LEGACY_BUILD_H

#include "formats/legacy_choose.h"

#include <stdbool.h>
#include <stdint.h>

struct ggfs_model;

struct ggfs_legacy_build {
    struct ggfs_model *model;
    struct ggfs_legacy_choice *choice;
    struct ggfs_peek *peek;
    struct ggfs_err *err;
    const struct ggfs_legacy_arch *arch; /* NULL: the tensors do not tell */
    bool arch_by_rule;                   /* no tensor tells, the container does */
    bool reversed;                       /* dimensions stand in the other order in the file */
    bool planar_by_rule;                 /* the rows could not be tested */
    uint32_t keys_room;
};

/* legacy_keys.c: metadata from the words, arrays and tokens; then GGUF's names for what is certain.
 * The model's tensors must be there already. */
bool ggfs_legacy_build_keys(struct ggfs_legacy_build *build);

/* legacy_tensors.c: tensors, and with their names the architecture; planar rows by test. */
bool ggfs_legacy_build_tensors(struct ggfs_legacy_build *build);

/* legacy_notes.c: what the file was taken for, and how sure that is. */
bool ggfs_legacy_build_notes(struct ggfs_legacy_build *build);

/* legacy_planar.c: the first tensor of this type in the model, some of its rows: are they planar?
 * 1 yes, 0 no, -1 they cannot tell. */
int ggfs_legacy_planar(struct ggfs_legacy_build *build, uint8_t type);

/* legacy_parts.c: how many files a llama model lies in: 1 where it is whole. */
uint32_t ggfs_legacy_parts(const struct ggfs_model *model, uint32_t n_embd);

#endif
