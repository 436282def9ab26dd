/* SPDX-License-Identifier: MIT */
/* vocab.h - the vocabulary among a model's keys: tokens by id, and what belongs to them. */
#ifndef GGFS_MODEL_VOCAB_H
#define GGFS_MODEL_VOCAB_H

#include "base/err.h"
#include "base/str.h"
#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

struct ggfs_vocab {
    const struct ggfs_key *tokens; /* tokenizer.ggml.tokens, an array of strings; or NULL */
    const struct ggfs_key *scores; /* a numeric array of any length; or NULL */
    const struct ggfs_key *types;  /* likewise */
    const struct ggfs_key *merges; /* an array of strings; or NULL */
    uint32_t *places;              /* of each token's length word, from tokens->value.data on */
    uint32_t *templates;           /* keys that hold chat templates, in file order */
    uint32_t *specials;            /* the first keys that name special tokens, in file order */
    uint32_t n, n_templates, n_specials;
};

/* Models have a dozen special tokens. Were there no end to them, a small file with many names for
 * one long token would make a text of terabytes. */
#define GGFS_VOCAB_SPECIALS 256

/* Finds the vocabulary. model must outlive it. A key of the wrong type counts as absent. */
bool ggfs_vocab_open(struct ggfs_vocab *vocab, const struct ggfs_model *model,
                     struct ggfs_err *err);
void ggfs_vocab_close(struct ggfs_vocab *vocab);

/* The bytes of token id, which is below vocab->n. */
struct ggfs_str ggfs_vocab_token(const struct ggfs_vocab *vocab, uint32_t id);

/* What a special token is for: `bos`, `eos`, `pad`, …, from the name of a key in specials. */
struct ggfs_str ggfs_vocab_role(const struct ggfs_key *key);

/* Element index of a numeric array (index below its count) as each type of array in vocab/. */
float ggfs_vocab_f32(const struct ggfs_key *key, uint64_t index);
int32_t ggfs_vocab_i32(const struct ggfs_key *key, uint64_t index);

#endif
