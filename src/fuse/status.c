/* SPDX-License-Identifier: MIT */
/* status.c - the two numbers behind each kind of error. */
#include <config.h>

#include "fuse/status.h"

#include <errno.h>

int ggfs_status_exit(enum ggfs_err_kind kind)
{
    switch (kind) {
    case GGFS_ERR_NONE:
        return GGFS_STATUS_DONE;
    case GGFS_ERR_USAGE:
        return GGFS_STATUS_USAGE;
    case GGFS_ERR_MEMORY:
    case GGFS_ERR_SYSTEM:
        return GGFS_STATUS_SYSTEM;
    case GGFS_ERR_OPEN:
    case GGFS_ERR_IO:
    case GGFS_ERR_FORMAT:
    case GGFS_ERR_MOUNT:
    case GGFS_ERR_NOT_DIR:
    case GGFS_ERR_NO_ENTRY:
    case GGFS_ERR_NAME:
        break;
    }
    return GGFS_STATUS_MOUNT;
}

int ggfs_status_errno(enum ggfs_err_kind kind)
{
    switch (kind) {
    case GGFS_ERR_MEMORY:
        return ENOMEM;
    case GGFS_ERR_NOT_DIR:
        return ENOTDIR;
    case GGFS_ERR_NO_ENTRY:
        return ENOENT;
    case GGFS_ERR_NAME:
        return ENAMETOOLONG;
    case GGFS_ERR_NONE:
    case GGFS_ERR_USAGE:
    case GGFS_ERR_SYSTEM:
    case GGFS_ERR_OPEN:
    case GGFS_ERR_IO:
    case GGFS_ERR_FORMAT:
    case GGFS_ERR_MOUNT:
        break;
    }
    return EIO;
}
