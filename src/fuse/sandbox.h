/* SPDX-License-Identifier: MIT */
/* sandbox.h - a server needs nothing but its descriptors: the rest of its rights, given up. */
#ifndef GGFS_FUSE_SANDBOX_H
#define GGFS_FUSE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Gives up for good, in the one thread that there is: files by name, the network, other processes,
 * privileges by exec, capabilities, and being looked into. What the kernel does not know is left
 * out. False where no thread may be started afterwards: to end, one needs a library that cannot be
 * loaded. */
bool ggfs_sandbox_enter(void);

/* What of it the kernel would enforce on files: "landlock 7", or "none". */
void ggfs_sandbox_name(char *out, size_t size);

#endif
