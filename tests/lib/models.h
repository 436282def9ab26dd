/* SPDX-License-Identifier: MIT */
/* models.h - the models that tests ask for by name. */
#ifndef GGFS_TESTS_MODELS_H
#define GGFS_TESTS_MODELS_H

#include "mkmodel.h"

/* What a good program does with a file, in the words of the hostile samples. */
enum mk_expect {
    MK_MOUNT,  /* mounts, everything can be read */
    MK_MARKED, /* mounts; the tensor at fault gives no wrong bytes */
    MK_REFUSE, /* one sentence with offset and field, before mounting */
    MK_EITHER, /* refused or marked, both are right */
};

struct mk_kind {
    const char *name;
    enum mk_expect expect;
    const char *what;
    void (*make)(struct mk *m, uint64_t argument); /* argument: from the command line, or 0 */
};

/* A NULL name behind the last. */
extern const struct mk_kind mk_good_kinds[];

/* The same, of containers from before GGUF. */
extern const struct mk_kind mk_legacy_kinds[];

/* The base of all wrong files: two keys (general.architecture, k) and two tensors (w F32 of 8, v
 * Q8_0 of 32x2), in memory; keys and tensors hold the marks of k and of w. */
struct mk_base {
    struct mk m;
    struct mk_marks key, tensor;
};
void mk_base_make(struct mk_base *base, uint32_t version, bool big);

/* One field of the base with another value. */
enum mk_field {
    MK_AT_MAGIC,
    MK_AT_VERSION,
    MK_AT_N_TENSORS,
    MK_AT_N_KV,
    MK_AT_KEY_LENGTH,
    MK_AT_KEY_TYPE,
    MK_AT_NAME_LENGTH,
    MK_AT_N_DIMS,
    MK_AT_DIM0,
    MK_AT_TENSOR_TYPE,
    MK_AT_OFFSET,
};

struct mk_wrong {
    const char *name;
    enum mk_expect expect;
    enum mk_field at;
    uint64_t value;
    const char *field; /* that the refusal names */
    const char *what;
};

extern const struct mk_wrong mk_wrong_kinds[];

/* Offset and width of a field in the base. */
size_t mk_field_offset(const struct mk_base *base, enum mk_field at);
unsigned mk_field_width(const struct mk_base *base, enum mk_field at);

#endif
