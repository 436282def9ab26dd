/* SPDX-License-Identifier: MIT */
/* caretaker.h - two processes: one that serves, and one that waits for its end in whatever way, so
 * that no dead mount is left behind. */
#ifndef GGFS_FUSE_CARETAKER_H
#define GGFS_FUSE_CARETAKER_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Forks: *server is 0 in the process that is to serve, the other's number in the caretaker, which
 * from here on gets SIGTERM, SIGINT and SIGHUP by ggfs_caretaker_wait alone. No thread may run. */
bool ggfs_caretaker_fork(pid_t *server, struct ggfs_err *err);

/* *status of a server that was told to end, had not done so some seconds later, and was killed. */
#define GGFS_CARETAKER_KILLED (-1)

/* Waits for the end of the server and passes on to it the signals that ask for it. *status is its
 * exit status or GGFS_CARETAKER_KILLED; GGFS_ERR_SYSTEM where something else killed it. */
bool ggfs_caretaker_wait(pid_t server, int *status, struct ggfs_err *err);

#endif
