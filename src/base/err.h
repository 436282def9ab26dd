/* SPDX-License-Identifier: MIT */
/* err.h - an error as a sentence that tells which byte of which file to look at. */
#ifndef GGFS_BASE_ERR_H
#define GGFS_BASE_ERR_H

#include "base/compiler.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ggfs_err_kind {
    GGFS_ERR_NONE,
    GGFS_ERR_USAGE,    /* the command line is wrong */
    GGFS_ERR_MEMORY,   /* no memory */
    GGFS_ERR_SYSTEM,   /* fork, descriptors, threads */
    GGFS_ERR_OPEN,     /* the model cannot be opened: missing, no permission, no plain file */
    GGFS_ERR_IO,       /* the model cannot be read, or ends before the bytes that are asked for */
    GGFS_ERR_FORMAT,   /* the model's bytes are wrong */
    GGFS_ERR_MOUNT,    /* the mount point or /dev/fuse refuses */
    GGFS_ERR_NOT_DIR,  /* a lookup or listing in what is no directory */
    GGFS_ERR_NO_ENTRY, /* a node that does not exist in this tree */
    GGFS_ERR_NAME,     /* a file name of more than 255 bytes */
};

/* For errors about a file as a whole. */
#define GGFS_NO_OFFSET UINT64_MAX

struct ggfs_err {
    enum ggfs_err_kind kind;
    uint64_t offset;     /* of the field's first byte in the file, or GGFS_NO_OFFSET */
    char file[PATH_MAX]; /* as the user gave it; empty where no file is concerned */
    char field[96];      /* `tensor[12].n_dims`; may be empty */
    char text[512];
};

/* Makes err empty; what fails afterwards is said of file (NULL: of no file). */
void ggfs_err_init(struct ggfs_err *err, const char *file);

/* Records a failure and returns false, so that `return ggfs_fail(…)` is all a caller needs. The
 * first cause wins: a second call on the same err changes nothing. field may be NULL; err too. */
bool ggfs_fail(struct ggfs_err *err, enum ggfs_err_kind kind, uint64_t offset, const char *field,
               const char *format, ...) GGFS_PRINTF(5, 6);

/* `no memory` with the number of bytes that were asked for; 0: nobody knows. Returns false. */
bool ggfs_fail_memory(struct ggfs_err *err, size_t bytes);

/* "FILE: offset 0xHEX: FIELD: text" without what is not known, control bytes escaped so that it
 * stays one line, always ended by NUL within size bytes. */
void ggfs_err_format(const struct ggfs_err *err, char *out, size_t size);

#endif
