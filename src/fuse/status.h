/* SPDX-License-Identifier: MIT */
/* status.h - what kind an error is of, as an exit status and as an answer to the kernel. */
#ifndef GGFS_FUSE_STATUS_H
#define GGFS_FUSE_STATUS_H

#include "base/err.h"

/* Statuses are mount(8)'s, which passes them on. */
#define GGFS_STATUS_DONE 0
#define GGFS_STATUS_USAGE 1
#define GGFS_STATUS_SYSTEM 2
#define GGFS_STATUS_MOUNT 32

/* Statuses of --check. */
#define GGFS_STATUS_CLEAN 0
#define GGFS_STATUS_FINDINGS 1
#define GGFS_STATUS_NO_LOOK 2

/* The status with which a command that failed for this kind of error ends. */
int ggfs_status_exit(enum ggfs_err_kind kind);

/* The errno that a request answers which failed for this kind of error. */
int ggfs_status_errno(enum ggfs_err_kind kind);

#endif
