/* SPDX-License-Identifier: MIT */
/* check_cmd.h - ggfs --check: findings about models, as lines or as JSON. */
#ifndef GGFS_FUSE_CHECK_CMD_H
#define GGFS_FUSE_CHECK_CMD_H

struct ggfs_err;
struct ggfs_options;

/* Checks all of options->operands, whatever is wrong with one of them; prints the findings on
 * stdout and their counts on stderr, and returns the exit status that is the worst. */
int ggfs_check_command(const struct ggfs_options *options, struct ggfs_err *err);

#endif
