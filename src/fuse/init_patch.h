/* SPDX-License-Identifier: MIT */
/* init_patch.h - two things that the kernel offers in INIT and that libfuse passes on since 3.17:
 * shared mmap on direct_io files (bit 36, since 6.6), and lookups side by side in one directory
 * (bit 18), of which a slow one would hold up all others. Before that the two messages of INIT are
 * read and completed on their way through. */
#ifndef GGFS_FUSE_INIT_PATCH_H
#define GGFS_FUSE_INIT_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct fuse_conn_info;
struct fuse_session;
struct iovec;

struct ggfs_init_patch {
    bool offered;  /* the kernel has offered shared mmap in its INIT */
    bool granted;  /* it was asked for, so that it is in force */
    bool parallel; /* the kernel has offered lookups side by side */
    bool replied;  /* the first reply has gone; nothing is looked at any more */
};

/* After the mount, before the first request is received. patch is what ggfs_init_patch_of returns
 * for the session's user data. False without memory. */
bool ggfs_init_patch_install(struct fuse_session *session);

/* To be supplied by the owner of the session's user data. */
struct ggfs_init_patch *ggfs_init_patch_of(void *userdata);

/* From the init operation: asks through libfuse where that can be done. */
void ggfs_init_patch_want(struct ggfs_init_patch *patch, struct fuse_conn_info *connection);

/* Looks at the bytes of a request for an INIT with the offers. */
void ggfs_init_patch_request(struct ggfs_init_patch *patch, const void *request, size_t size);

/* Completes the reply to INIT, its header in parts[0] and its body in parts[1]. */
void ggfs_init_patch_reply(struct ggfs_init_patch *patch, const struct iovec *parts, int count);

/* Sends the reply in pipe, which is a header alone, as one with EIO. Replies without data are never
 * spliced but where a read was to be answered from a file that was cut in this moment: the reader
 * would take that for the end. What splice would return. */
ssize_t ggfs_init_patch_refuse(int pipe, int device);

#endif
