/* SPDX-License-Identifier: MIT */
/* api.h - libfuse's low-level interface in the version that ggfs is written for. */
#ifndef GGFS_FUSE_API_H
#define GGFS_FUSE_API_H

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

#endif
