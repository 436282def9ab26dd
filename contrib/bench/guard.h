/* SPDX-License-Identifier: MIT */
/* guard.h - whatever happens to the bench, nothing of it stays behind. */
#ifndef GGFS_BENCH_GUARD_H
#define GGFS_BENCH_GUARD_H

#include "say.h"

/* The folders of this run. */
struct folders {
    struct path temp; /* models and mount points */
    struct path fast; /* on tmpfs; empty where there is none */
};

/* Makes the folders and a second process, in which this returns. The first waits for it, or for a
 * signal; then it unmounts what is mounted in the folders, ends the processes that are left,
 * removes the folders and exits with the second's status. */
bool guard_start(struct folders *folders);

#endif
