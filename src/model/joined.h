/* SPDX-License-Identifier: MIT */
/* joined.h - a tensor whose bytes lie in several files, as the first programs cut large models. */
#ifndef GGFS_MODEL_JOINED_H
#define GGFS_MODEL_JOINED_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ggfs_model;
struct ggfs_tensor;

enum ggfs_join {
    GGFS_JOIN_ROWS,    /* the parts' bytes one after the other */
    GGFS_JOIN_COLUMNS, /* each row is the parts' rows one after the other */
};

struct ggfs_part {
    uint64_t offset; /* in its file */
    uint64_t room;   /* bytes of it that the file holds */
    uint32_t source; /* index of the file */
};

/* All parts have as many bytes, in rows of as many bytes. */
struct ggfs_joined {
    enum ggfs_join how;
    uint32_t n;
    uint64_t bytes;     /* of a part */
    uint64_t row_bytes; /* of a row in a part; not 0 */
    struct ggfs_part *parts;
};

/* n bytes from byte `at` of the tensor on, wherever they lie, never past its room. *got < n where
 * the room or a file ends before. GGFS_ERR_IO when a read fails. */
bool ggfs_tensor_read(const struct ggfs_model *model, const struct ggfs_tensor *tensor, uint64_t at,
                      void *dst, size_t n, size_t *got, struct ggfs_err *err);

/* Bytes from the tensor's first on that the parts hold without a gap. */
uint64_t ggfs_joined_room(const struct ggfs_joined *joined);

#endif
