/* SPDX-License-Identifier: MIT */
/* mountpoint.h - the paths of the command line: made absolute, and fit to mount at. */
#ifndef GGFS_FUSE_MOUNTPOINT_H
#define GGFS_FUSE_MOUNTPOINT_H

#include "base/err.h"

#include <stdbool.h>

/* path from the root on, its last component as given (a model's own name may be a link's). path
 * itself where its directory cannot be resolved: opening it will say why. The caller frees it. */
char *ggfs_mountpoint_source(const char *path, struct ggfs_err *err);

/* The resolved path of a directory that ggfs may be mounted at; the caller frees it. GGFS_ERR_MOUNT
 * with a sentence that says what to do: missing, no directory, a dead mount, a ggfs already. */
char *ggfs_mountpoint_resolve(const char *path, struct ggfs_err *err);

/* Keeps every other ggfs from mounting at path until the descriptor *lock is closed, and looks once
 * more whether one has done so. *lock is -1 where the directory does not open. */
bool ggfs_mountpoint_claim(const char *path, int *lock, struct ggfs_err *err);

/* True where what is mounted at path no longer has a program. One that has is asked, and answers.
 */
bool ggfs_mountpoint_is_dead(const char *path);

/* GGFS_ERR_MOUNT where the options let others in and /etc/fuse.conf does not allow this user to. */
bool ggfs_mountpoint_may_share(struct ggfs_err *err);

#endif
