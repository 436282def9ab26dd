/* SPDX-License-Identifier: MIT */
/* mounts.h - daemons and the folders they serve. */
#ifndef GGFS_BENCH_MOUNTS_H
#define GGFS_BENCH_MOUNTS_H

#include "meter.h"
#include "say.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mount {
    struct path at;              /* empty while nothing is mounted */
    pid_t daemons[METER_FAMILY]; /* the one that the command left behind, then its children */
    double seconds;              /* that the command took */
};

/* Runs command, up to a NULL, with a new mount point in folder behind it. The daemon that it leaves
 * is known by its number afterwards. */
bool mounts_make(struct mount *mount, const char *folder, const char *const *command);

/* Makes meter count the mount's processes too. */
void mounts_watch(const struct mount *mount, struct meter *meter);

/* MiB of them in memory. */
double mounts_rss(const struct mount *mount);

/* Unmounts, and waits for the daemon. Nothing to do where nothing is mounted. */
void mounts_end(struct mount *mount);

/* Unmounts everything that is mounted in folder. */
void mounts_end_in(const char *folder);

#endif
