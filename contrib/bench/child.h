/* SPDX-License-Identifier: MIT */
/* child.h - programs that are run, and the daemons that some of them leave behind. */
#ifndef GGFS_BENCH_CHILD_H
#define GGFS_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From now on daemons of this process's children become its children. */
void child_adopt(void);

/* Runs a program with its output thrown away and waits for it. False, with a sentence, where it
 * cannot be run, is killed, or ends with a status above most. */
bool child_run(const char *const *argv, int most);

/* Children of a process: their number, the first room of them in pids. */
size_t child_list(pid_t parent, pid_t *pids, size_t room);

/* Waits for a child that is about to end by itself, and ends it where it does not. */
void child_end(pid_t pid);

/* Ends all that are left. */
void child_end_all(void);

#endif
