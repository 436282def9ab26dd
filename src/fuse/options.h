/* SPDX-License-Identifier: MIT */
/* options.h - the command line, read. */
#ifndef GGFS_FUSE_OPTIONS_H
#define GGFS_FUSE_OPTIONS_H

#include "base/err.h"
#include "formats/format.h"
#include "fuse/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum ggfs_cache { GGFS_CACHE_AUTO, GGFS_CACHE_DIRECT, GGFS_CACHE_KERNEL };

struct ggfs_options {
    /* Filled by the rows of options.def. */
    int foreground, debug, single, partial, no_split, no_sandbox, check, json, deep, help, version;
    char *cache, *cpu, *frame, *layout;

    enum ggfs_cache cache_mode;
    struct ggfs_open_options open;
    bool others;     /* allow_other or allow_root was given */
    char **operands; /* as given: models for --check, else a model and a mount point */
    size_t n_operands;
    const char *model;       /* the first of them, for a mount only */
    const char *mountpoint;  /* the second */
    struct fuse_args args;   /* what libfuse shall see: a program name, then its options */
    struct ggfs_err *failed; /* while parsing only */
};

/* Reads the command line. GGFS_ERR_USAGE with a sentence where it is wrong; what libfuse alone can
 * judge is left in options->args. To be freed in either case. */
bool ggfs_options_parse(struct ggfs_options *options, int argc, char **argv, struct ggfs_err *err);
void ggfs_options_free(struct ggfs_options *options);

/* Adds the mount options that ggfs sets itself: source is the file that `mount` will name. */
bool ggfs_options_complete(struct ggfs_options *options, const char *source, struct ggfs_err *err);

/* The text of --help. */
void ggfs_options_help(FILE *out);

#endif
