/* SPDX-License-Identifier: MIT */
/* ground.h - what figures are measured on, made when one asks for it. */
#ifndef GGFS_BENCH_GROUND_H
#define GGFS_BENCH_GROUND_H

#include "guard.h"
#include "model.h"
#include "mounts.h"

/* Tokens of the large folder; and of the one that is searched and compared file by file. */
#define GROUND_MANY UINT64_C(260000)
#define GROUND_FEW UINT64_C(20000)

enum { CACHE_AUTO, CACHE_KERNEL, CACHES };

struct ground {
    const char *ggfs, *ceiling; /* programs */
    uint64_t mib;
    struct folders folders;

    struct path weights_path;
    struct weights weights;
    struct mount ggfs_at[CACHES], ceiling_at[CACHES]; /* of the weights */

    struct path many, few;                /* models */
    struct path many_names, few_names[2]; /* folders on tmpfs, the two with the same names */

    struct path large;
    uint64_t large_header;
};

/* The weights, in the page cache too. */
bool ground_file(struct ground *ground);

/* The same with both servers mounted on them. */
bool ground_weights(struct ground *ground, unsigned cache);

/* A mount of its own of the model, with cache=auto. */
bool ground_mount(struct ground *ground, const struct path *model, struct mount *mount);

/* The ceiling on the weights. */
bool ground_mount_ceiling(struct ground *ground, unsigned cache, struct mount *mount);

/* Models of words; and what they look like on tmpfs, if there is one. */
bool ground_words(struct ground *ground);
bool ground_names(struct ground *ground);

bool ground_large(struct ground *ground);

/* Unmounts. */
void ground_end(struct ground *ground);

#endif
