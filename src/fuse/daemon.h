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
 * false. In the parent it is true: it must leave by _exit, since what it holds belongs to the
 * child. No thread may have been started. */
bool ggfs_daemon_detach(bool *parent, struct ggfs_err *err);

/* Tells the service manager that the mount stands, where $NOTIFY_SOCKET asks for it. */
void ggfs_daemon_ready(void);

#endif
