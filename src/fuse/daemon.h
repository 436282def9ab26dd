/* SPDX-License-Identifier: MIT */
/* daemon.h - the life of the process: its standard descriptors, the background, readiness. */
#ifndef GGFS_FUSE_DAEMON_H
#define GGFS_FUSE_DAEMON_H

#include "base/err.h"

#include <stdbool.h>

/* Opens /dev/null on those of the descriptors 0 to 2 that are closed. A model that was opened on
 * one of them would be lost when ggfs goes to the background. */
bool ggfs_daemon_fill_std(struct ggfs_err *err);

/* Forks. In the child, which goes on in the background with its messages in syslog, *parent is
 * false. The parent returns once the child has called ggfs_daemon_ready, true with *parent set,
 * and must then leave by _exit, since what it holds belongs to the child; or false with the
 * child's error, and what it holds is still its own. No thread may have been started. */
bool ggfs_daemon_detach(bool *parent, struct ggfs_err *err);

/* Tells whoever waits, the process on the terminal or (by $NOTIFY_SOCKET) the service manager,
 * that the mount is served; or the former why it will not be. */
void ggfs_daemon_ready(void);
void ggfs_daemon_failed(const struct ggfs_err *err);

#endif
