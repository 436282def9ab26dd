/* SPDX-License-Identifier: MIT */
/* check_cmd.h - ggfs --check: findings about a model, as lines or as JSON. */
#ifndef GGFS_FUSE_CHECK_CMD_H
#define GGFS_FUSE_CHECK_CMD_H

struct ggfs_err;
struct ggfs_options;

/* Checks options->model, prints the findings on stdout and their counts on stderr, and returns the
 * exit status. err is filled in where it could not look. */
int ggfs_check_command(const struct ggfs_options *options, struct ggfs_err *err);

#endif
