/* SPDX-License-Identifier: MIT */
/* source.h - one file that a model lies in, open for as long as the model is. */
#ifndef GGFS_MODEL_SOURCE_H
#define GGFS_MODEL_SOURCE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* How the records of tensors look. */
enum ggfs_records {
    GGFS_RECORDS_GGUF, /* name's length, name, n_dims, ne, type, offset; data elsewhere */
    GGFS_RECORDS_GGML, /* n_dims, name's length, type, ne, name, padding, data; words of 4 bytes */
};

struct ggfs_source {
    const char *path; /* as it was opened; in the model's memory */
    const char *name; /* its last component */
    int fd;           /* O_RDONLY, close on exec */
    uint64_t size;    /* bytes when it was opened */
    struct stat stat; /* when it was opened */
    /* What the container's parser found out. */
    uint64_t data_at;   /* offset that tensor offsets count from */
    uint64_t alignment; /* of tensor offsets; 0: none */
    uint8_t len_bytes;  /* width of the lengths in records, for offsets of fields */
    uint8_t records;    /* enum ggfs_records */
    bool big;           /* byte order of records and tensors */
};

/* Opens path, which must name a plain file (no directory, FIFO, device). GGFS_ERR_OPEN with a
 * sentence of its own for each other thing. */
bool ggfs_source_open(struct ggfs_source *source, const char *path, struct ggfs_err *err);

void ggfs_source_close(struct ggfs_source *source);

/* Reads n bytes from offset on. Fewer only where the file now ends earlier: *got says how many
 * (interrupted and short reads are taken up again). GGFS_ERR_IO when the read itself fails. */
bool ggfs_source_read(const struct ggfs_source *source, uint64_t offset, void *dst, size_t n,
                      size_t *got, struct ggfs_err *err);

/* Whether the n bytes at offset, which the file has, are a hole: zeros that need not be read. Moves
 * the descriptor's position, which nothing else uses. False where the file system cannot tell. */
bool ggfs_source_is_hole(const struct ggfs_source *source, uint64_t offset, uint64_t n);

/* The file's size now; what a truncated one still holds. GGFS_ERR_IO when it cannot be told. */
bool ggfs_source_size_now(const struct ggfs_source *source, uint64_t *size, struct ggfs_err *err);

#endif
