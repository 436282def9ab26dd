/* SPDX-License-Identifier: MIT */
/* session.h - from a command line to a mount that serves until it is unmounted or told to end. */
#ifndef GGFS_FUSE_SESSION_H
#define GGFS_FUSE_SESSION_H

#include "base/err.h"
#include "fuse/options.h"

#include <stdbool.h>

/* Opens the model, mounts it, goes to the background unless told not to, and serves. Everything
 * that can fail has failed before the fork. Returns true with *parent set in the process that is
 * left on the terminal, which must leave by _exit; true without when the mount is gone again. */
bool ggfs_session_run(struct ggfs_options *options, bool *parent, struct ggfs_err *err);

#endif
