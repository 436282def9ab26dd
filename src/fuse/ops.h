/* SPDX-License-Identifier: MIT */
/* ops.h - the requests of the kernel that ggfs answers. */
#ifndef GGFS_FUSE_OPS_H
#define GGFS_FUSE_OPS_H

#include "fuse/api.h"

/* The table for a session whose user data is a struct ggfs_fs. */
extern const struct fuse_lowlevel_ops ggfs_ops;

#endif
