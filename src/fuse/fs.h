/* SPDX-License-Identifier: MIT */
/* fs.h - a mounted model: what every request looks at. Constant once requests are served, but for
 * what is atomic. */
#ifndef GGFS_FUSE_FS_H
#define GGFS_FUSE_FS_H

#include "fuse/api.h"
#include "fuse/init_patch.h"
#include "fuse/options.h"
#include "tree/tree.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Nothing here ever changes, so the kernel may keep it as long as it likes. */
#define GGFS_FS_FOREVER 1e9

/* Most bytes of one read: a reply and the reader's buffer still fit the second-level cache, and
 * libfuse's pipe holds it with its header, which 1 MiB would not. */
#define GGFS_FS_READ_MAX (size_t)(512 * 1024)

/* Files of this size on are not worth a copy in the page cache, and are read in large pieces. */
#define GGFS_FS_LARGE (UINT64_C(1) << 20)

/* So many files with faults are told from each other in the log. */
#define GGFS_FS_SAID 64

struct ggfs_fs {
    struct ggfs_model *model;
    struct ggfs_tree *tree;
    enum ggfs_cache cache;
    bool started; /* INIT has been answered */
    struct ggfs_init_patch patch;
    atomic_flag changed_said;            /* that the model was changed is in the log */
    _Atomic uint64_t said[GGFS_FS_SAID]; /* nodes whose faults are in the log */
};

/* Opens the model and makes its tree. To be closed in either case, once or more. */
bool ggfs_fs_open(struct ggfs_fs *fs, const struct ggfs_options *options, struct ggfs_err *err);
void ggfs_fs_close(struct ggfs_fs *fs);

/* Names the model's files by their absolute paths from now on: for a log that nobody reads in the
 * folder where ggfs was started. Before the mount, which may hide them. */
bool ggfs_fs_absolute(struct ggfs_fs *fs, struct ggfs_err *err);

/* The path of the model as messages name it. */
const char *ggfs_fs_path(const struct ggfs_fs *fs);

/* The one that serves this request. */
struct ggfs_fs *ggfs_fs_of(fuse_req_t req);

/* err, which a request for node ended with, once for each node. */
void ggfs_fs_say(struct ggfs_fs *fs, uint64_t node, const struct ggfs_err *err);

/* Says once when a file of the model is no longer what was opened. */
void ggfs_fs_watch(struct ggfs_fs *fs);

#endif
