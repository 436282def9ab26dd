/* SPDX-License-Identifier: MIT */
/* format.h - a container as a row: how it is recognised and how it becomes a model. */
#ifndef GGFS_FORMATS_FORMAT_H
#define GGFS_FORMATS_FORMAT_H

#include "base/err.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the command line may say of how a model is opened. Zero: nothing. */
struct ggfs_open_options {
    bool no_split; /* a shard opens as itself */
    bool partial;  /* shards may be missing */
    /* Files from before GGUF: what to take them for, instead of finding out; or NULL. */
    const char *frame, *layout;
};

struct ggfs_format {
    const char *name;
    /* Do these first bytes of a file begin such a container? Allocates and reads nothing. Two rows
     * that claim one file are a bug; a test looks for it. */
    bool (*probe)(const uint8_t *head, size_t n);
    /* Fills model, whose sources[0] is open. The caller settles it. */
    bool (*parse)(struct ggfs_model *model, const struct ggfs_open_options *options,
                  struct ggfs_err *err);
    /* Other files that belong to the model, once it is settled: takes it over, returns the whole,
     * or NULL and a filled err. NULL: a model is one file. */
    struct ggfs_model *(*join)(struct ggfs_model *model, const struct ggfs_open_options *options,
                               struct ggfs_err *err);
};

/* Bytes that a probe may look at. */
#define GGFS_FORMAT_HEAD 512

/* All containers, NULL behind the last. */
extern const struct ggfs_format *const ggfs_formats[];

/* Opens path by the container that claims it, with the other files of the model, and settles it.
 * NULL and a filled err: what cannot be opened, what no container claims (with a sentence that says
 * what it looks like), what is damaged. */
struct ggfs_model *ggfs_formats_open(const char *path, const struct ggfs_open_options *options,
                                     struct ggfs_err *err);

/* The same for one file that must be of this container, without any others. */
struct ggfs_model *ggfs_formats_open_as(const struct ggfs_format *format, const char *path,
                                        const struct ggfs_open_options *options,
                                        struct ggfs_err *err);

#endif
