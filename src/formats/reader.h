/* SPDX-License-Identifier: MIT */
/* reader.h - a bounded cursor over the header of a model file, which it reads piece by piece:
 * into one growing copy, or through a window that keeps nothing. */
#ifndef GGFS_FORMATS_READER_H
#define GGFS_FORMATS_READER_H

#include "base/compiler.h"
#include "base/err.h"
#include "model/source.h"

#include <stdbool.h>
#include <stdint.h>

struct ggfs_reader {
    const struct ggfs_source *source;
    struct ggfs_err *err;
    uint8_t *bytes; /* the file from offset base on, from malloc; moves while it grows */
    uint64_t base;  /* 0 but for a window that has moved on */
    uint64_t have;  /* where the bytes read so far end in the file */
    uint64_t room;  /* bytes allocated */
    uint64_t at;    /* the next byte to take */
    bool window;    /* keeps only some bytes at the cursor: what is skipped is not read */
    bool big;
    uint8_t len_bytes;     /* width of lengths and counts: 4 or 8 */
    uint64_t inner_arrays; /* taken so far */
    /* What is being read, for messages: `kv[3]`, `kv[3][17]`, or nothing. */
    const char *item;
    uint64_t index;
    uint64_t element;
};

#define GGFS_READER_NO_ELEMENT UINT64_MAX

/* A header longer than this is refused: it is kept in memory whole, and the longest in the wild
 * have some 30 MB. ggml stops at strings of this size. */
#define GGFS_HEADER_MAX (UINT64_C(1) << 30)

void ggfs_reader_init(struct ggfs_reader *reader, const struct ggfs_source *source,
                      struct ggfs_err *err);

/* From a walk through a window back to the start of the file, now for the growing copy. */
void ggfs_reader_restart(struct ggfs_reader *reader);

/* Bytes of the file from the cursor on. */
static inline uint64_t ggfs_reader_left(const struct ggfs_reader *reader)
{
    return reader->source->size - reader->at;
}

/* Fails with the field `ITEM[INDEX]` + leaf, whose first byte is at offset. Returns false. */
bool ggfs_reader_fail(struct ggfs_reader *reader, uint64_t offset, const char *leaf,
                      const char *format, ...) GGFS_PRINTF(4, 5);

/* Makes sure that n bytes from the cursor on are in memory, without moving it. False, with the
 * field at the cursor, when the file ends before. A window holds a few numbers, not any n. */
bool ggfs_reader_need(struct ggfs_reader *reader, uint64_t n, const char *leaf);

/* Moves the cursor over n bytes, which a growing copy then has in memory. Fails like need. */
bool ggfs_reader_skip(struct ggfs_reader *reader, uint64_t n, const char *leaf);

/* Skips strings, up to n, that are in memory already, and says how many. A file can hold 2^27 empty
 * ones, so this is the short way; the one that it stops at is for ggfs_reader_string. */
uint64_t ggfs_reader_strings(struct ggfs_reader *reader, uint64_t n);

/* The bytes at the cursor, as many as need was asked for. */
static inline const uint8_t *ggfs_reader_cursor(const struct ggfs_reader *reader)
{
    return reader->bytes + (reader->at - reader->base);
}

/* Take one number at the cursor. length: of len_bytes bytes. */
bool ggfs_reader_u32(struct ggfs_reader *reader, const char *leaf, uint32_t *out);
bool ggfs_reader_u64(struct ggfs_reader *reader, const char *leaf, uint64_t *out);
bool ggfs_reader_length(struct ggfs_reader *reader, const char *leaf, uint64_t *out);

/* Takes a length at the cursor (its field: leaf) and skips that many bytes, as skip does. */
bool ggfs_reader_string(struct ggfs_reader *reader, const char *leaf, uint64_t *len);

/* The same, and tells whether the bytes are those of name (of some bytes). */
bool ggfs_reader_name(struct ggfs_reader *reader, const char *leaf, const char *name, uint64_t *len,
                      bool *same);

/* Hands the copy over, cut to the bytes before the cursor; the reader is empty afterwards. */
uint8_t *ggfs_reader_finish(struct ggfs_reader *reader, uint64_t *size);

/* Gives the copy back, after a failure. */
void ggfs_reader_drop(struct ggfs_reader *reader);

#endif
