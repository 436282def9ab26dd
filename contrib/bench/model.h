/* SPDX-License-Identifier: MIT */
/* model.h - the models of the bench: shapes and types as models have them, values made up. */
#ifndef GGFS_BENCH_MODEL_H
#define GGFS_BENCH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct range {
    uint64_t offset, bytes;
};

/* The types whose views are measured. */
enum {
    MODEL_Q4_0,
    MODEL_Q4_K,
    MODEL_Q6_K,
    MODEL_Q8_0,
    MODEL_IQ2_XXS,
    MODEL_F16,
    MODEL_BF16,
    MODEL_F32,
    MODEL_TYPES
};

/* Where things lie in the file. */
struct weights {
    struct range raw;                /* of the one large tensor, F16 */
    struct range typed[MODEL_TYPES]; /* of one tensor a type, all of the same shape */
    uint64_t floats;                 /* bytes of the view of each of these */
};

/* Names of the tensors. */
#define MODEL_RAW "token_embd.weight"
const char *model_typed_name(unsigned type);

/* About mib MiB: half of it the large tensor, half the typed ones. */
bool model_weights(const char *path, uint64_t mib, struct weights *weights);

/* A vocabulary and nothing else. */
bool model_words(const char *path, uint64_t tokens);

/* What a mount reads of a common large model: 150,000 tokens, 1,000 tensors, 3.5 GB of holes.
 * *header: bytes before the tensors. */
bool model_large(const char *path, uint64_t *header);

/* A file a token in a folder that exists: what vocab/tokens of model_words looks like. */
bool model_words_folder(const char *folder, uint64_t tokens);

#endif
