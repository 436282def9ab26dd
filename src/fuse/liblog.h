/* SPDX-License-Identifier: MIT */
/* liblog.h - what libfuse has to say, made part of ggfs' own sentences. */
#ifndef GGFS_FUSE_LIBLOG_H
#define GGFS_FUSE_LIBLOG_H

/* From now on libfuse's messages are kept back, so that a failure is one sentence. Requests that
 * -d shows go to stderr at once. Call before any other function of libfuse. */
void ggfs_liblog_hold(void);

/* From now on they go to the log. What was kept back is forgotten. */
void ggfs_liblog_pass(void);

/* The first line kept back, without libfuse's name in front; otherwise where there is none. */
const char *ggfs_liblog_held(const char *otherwise);

#endif
