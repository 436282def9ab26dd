/* SPDX-License-Identifier: MIT */
/* caretaker.h - two processes: one that serves, and one that waits for its end in whatever way, so
 * that no dead mount is left behind. */
#ifndef GGFS_FUSE_CARETAKER_H
#define GGFS_FUSE_CARETAKER_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Before there is a mount, so that no signal can leave a dead one: what asks for the end is handled
 * as SIGTERM is, what would kill for nothing is ignored. */
void ggfs_caretaker_guard(void);

/* Forks: *server is 0 in the process that is to serve, the other's number in the caretaker, which
 * from here on gets what asks for the end by ggfs_caretaker_wait alone. No thread may run. */
bool ggfs_caretaker_fork(pid_t *server, struct ggfs_err *err);

/* *status of a server that was told to end, had not done so some seconds later, and was killed. */
#define GGFS_CARETAKER_KILLED (-1)

/* For a server that has begun to end, before libfuse's handlers go: what a terminal sends to both
 * processes comes to it twice, and the second must not kill. */
void ggfs_caretaker_deafen(void);

/* True in a server whose caretaker is gone. */
bool ggfs_caretaker_is_gone(void);

/* Waits for the end of the server and passes on to it the signals that ask for it. *status is its
 * exit status or GGFS_CARETAKER_KILLED; GGFS_ERR_SYSTEM where something else killed it. */
bool ggfs_caretaker_wait(pid_t server, int *status, struct ggfs_err *err);

#endif
