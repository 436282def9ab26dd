/* SPDX-License-Identifier: MIT */
/* meant.h - the option that a wrong one was meant to be. */
#ifndef GGFS_FUSE_MEANT_H
#define GGFS_FUSE_MEANT_H

/* Room for what ggfs_meant writes. */
#define GGFS_MEANT 64

/* ` (did you mean --cache=auto|direct|kernel?)`: the option, as it is written, whose name is
 * nearest to what stands in word in front of the first of the bytes in ends. Empty where none is
 * near. Returns out. */
const char *ggfs_meant(const char *word, const char *ends, char out[GGFS_MEANT]);

#endif
