/* SPDX-License-Identifier: MIT */
/* read.h - bytes for the kernel, and each thread's own memory for making them. */
#ifndef GGFS_FUSE_READ_H
#define GGFS_FUSE_READ_H

#include "base/err.h"
#include "fuse/api.h"

#include <stdbool.h>

/* Once, before any thread that serves requests; and when all of them are gone. */
bool ggfs_read_start(struct ggfs_err *err);
void ggfs_read_stop(void);

/* The read operation. */
void ggfs_read_op(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
                  struct fuse_file_info *fi);

/* GGFS_FS_READ_MAX bytes of this thread, aligned to a page, until it calls again or ends; NULL
 * without memory. */
char *ggfs_read_buffer(void);

#endif
