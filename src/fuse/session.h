/* SPDX-License-Identifier: MIT */
/* session.h - from a command line to a mount that serves until it is unmounted or told to end. */
#ifndef GGFS_FUSE_SESSION_H
#define GGFS_FUSE_SESSION_H

#include "base/err.h"
#include "fuse/options.h"

#include <stdbool.h>

/* How a run ends in the process that returns from it. */
struct ggfs_end {
    int status;   /* to exit with, where nothing has failed here */
    bool at_once; /* by _exit: what this process holds belongs to another */
};

/* Opens the model, mounts it, goes to the background unless told not to, and serves in a process
 * of its own. Everything that can fail has failed before the process on the terminal returns from
 * here, as do the server and its caretaker, when the mount is gone again. */
bool ggfs_session_run(struct ggfs_options *options, struct ggfs_end *end, struct ggfs_err *err);

#endif
