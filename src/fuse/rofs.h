/* SPDX-License-Identifier: MIT */
/* rofs.h - every request that would change something, answered EROFS. The kernel does so itself as
 * long as the mount is read-only, which root can end by `mount -o remount,rw`. */
#ifndef GGFS_FUSE_ROFS_H
#define GGFS_FUSE_ROFS_H

#include "fuse/api.h"

void ggfs_rofs_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int to_set,
                       struct fuse_file_info *fi);
void ggfs_rofs_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, dev_t rdev);
void ggfs_rofs_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode);
/* For unlink, rmdir and removexattr. */
void ggfs_rofs_unlink(fuse_req_t req, fuse_ino_t ino, const char *name);
void ggfs_rofs_symlink(fuse_req_t req, const char *link, fuse_ino_t parent, const char *name);
void ggfs_rofs_rename(fuse_req_t req, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
                      const char *new_name, unsigned int flags);
void ggfs_rofs_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t new_parent, const char *new_name);
void ggfs_rofs_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
                      struct fuse_file_info *fi);
void ggfs_rofs_setxattr(fuse_req_t req, fuse_ino_t ino, const char *name, const char *value,
                        size_t size, int flags);

#endif
