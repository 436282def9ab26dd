/* SPDX-License-Identifier: MIT */
/* reader.h - a bounded cursor over the header of a model file, which it reads once, piece by piece,
 * into one growing copy. */
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
    uint8_t *bytes; /* the file from its start, from malloc; moves while it grows */
    uint64_t have;  /* bytes read so far */
    uint64_t room;  /* bytes allocated */
    uint64_t at;    /* the next byte to take */
    bool big;
    uint8_t len_bytes; /* width of lengths and counts: 4 or 8 */
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

/* Bytes of the file from the cursor on. */
static inline uint64_t ggfs_reader_left(const struct ggfs_reader *reader)
{
    return reader->source->size - reader->at;
}

/* Fails with the field `ITEM[INDEX]` + leaf, whose first byte is at offset. Returns false. */
bool ggfs_reader_fail(struct ggfs_reader *reader, uint64_t offset, const char *leaf,
                      const char *format, ...) GGFS_PRINTF(4, 5);

/* Makes sure that n bytes from the cursor on are in memory, without moving it. False, with the
 * field at the cursor, when the file ends before. */
bool ggfs_reader_need(struct ggfs_reader *reader, uint64_t n, const char *leaf);

/* Take one number at the cursor. length: of len_bytes bytes. */
bool ggfs_reader_u32(struct ggfs_reader *reader, const char *leaf, uint32_t *out);
bool ggfs_reader_u64(struct ggfs_reader *reader, const char *leaf, uint64_t *out);
bool ggfs_reader_length(struct ggfs_reader *reader, const char *leaf, uint64_t *out);

/* Takes a length at the cursor (its field: leaf) and skips that many bytes, which are then in
 * memory. The bytes begin at *at. */
bool ggfs_reader_string(struct ggfs_reader *reader, const char *leaf, uint64_t *at, uint64_t *len);

/* Hands the copy over, cut to the bytes before the cursor; the reader is empty afterwards. */
uint8_t *ggfs_reader_finish(struct ggfs_reader *reader, uint64_t *size);

/* Gives the copy back, after a failure. */
void ggfs_reader_drop(struct ggfs_reader *reader);

#endif
