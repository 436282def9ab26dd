/* SPDX-License-Identifier: MIT */
/* reader.c - reading a header in bounded pieces. */
#include <config.h>

#include "formats/reader.h"

#include "base/mem.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first read: most headers without a vocabulary fit. Later ones double what there is, up to
 * the largest, so that little is read for nothing behind the header's end. */
#define FIRST_READ (uint64_t)(64 * 1024)
#define LARGEST_READ (uint64_t)(1024 * 1024)

void ggfs_reader_init(struct ggfs_reader *reader, const struct ggfs_source *source,
                      struct ggfs_err *err)
{
    *reader = (struct ggfs_reader){
        .source = source, .err = err, .len_bytes = 8, .element = GGFS_READER_NO_ELEMENT};
}

void ggfs_reader_restart(struct ggfs_reader *reader)
{
    if (reader->base > 0) {
        reader->base = 0;
        reader->have = 0;
    }
    reader->at = 0;
    reader->window = false;
    reader->big = false;
    reader->len_bytes = 8;
    reader->inner_arrays = 0;
    reader->item = NULL;
    reader->element = GGFS_READER_NO_ELEMENT;
}

static void name_field(const struct ggfs_reader *reader, const char *leaf, char *out, size_t size)
{
    char element[32] = "";

    if (reader->element != GGFS_READER_NO_ELEMENT)
        snprintf(element, sizeof element, "[%" PRIu64 "]", reader->element);
    if (reader->item)
        snprintf(out, size, "%s[%" PRIu64 "]%s%s", reader->item, reader->index, element, leaf);
    else
        snprintf(out, size, "%s", leaf);
}

bool ggfs_reader_fail(struct ggfs_reader *reader, uint64_t offset, const char *leaf,
                      const char *format, ...)
{
    char field[sizeof reader->err->field], text[sizeof reader->err->text];
    va_list args;

    name_field(reader, leaf, field, sizeof field);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ggfs_fail(reader->err, GGFS_ERR_FORMAT, offset, field, "%s", text);
}

static bool make_room(struct ggfs_reader *reader, uint64_t n)
{
    uint64_t room = reader->room ? reader->room : FIRST_READ;
    uint8_t *bytes;

    while (room < n)
        room *= 2;
    if (room == reader->room)
        return true;
    bytes = ggfs_mem_resize(reader->bytes, room, reader->err);
    if (!bytes)
        return false;
    reader->bytes = bytes;
    reader->room = room;
    return true;
}

/* A walk may meet a gigabyte of hole, which would only fill the page cache. */
static bool skip_hole(struct ggfs_reader *reader, uint8_t *dst, uint64_t piece)
{
    if (!reader->window || !ggfs_source_is_hole(reader->source, reader->have, piece))
        return false;
    memset(dst, 0, piece);
    return true;
}

static bool read_piece(struct ggfs_reader *reader, uint64_t piece)
{
    uint64_t kept = reader->have - reader->base;
    size_t got;

    piece = ggfs_num_min(piece, reader->source->size - reader->have);
    if (!make_room(reader, kept + piece))
        return false;
    if (skip_hole(reader, reader->bytes + kept, piece))
        got = piece;
    else if (!ggfs_source_read(reader->source, reader->have, reader->bytes + kept, piece, &got,
                               reader->err))
        return false;
    reader->have += got;
    return got == piece || ggfs_fail(reader->err, GGFS_ERR_IO, reader->have, NULL,
                                     "became shorter while its header was read");
}

/* Reads on until `end` bytes of the file are in memory; the caller knows that it has them. */
static bool read_up_to(struct ggfs_reader *reader, uint64_t end)
{
    while (reader->have < end) {
        uint64_t piece = reader->have < FIRST_READ     ? FIRST_READ
                         : reader->have < LARGEST_READ ? reader->have
                                                       : LARGEST_READ;
        if (!read_piece(reader, piece))
            return false;
    }
    return true;
}

/* n bytes from the cursor on are in the file, but are they in the longest header? */
static bool check_end(struct ggfs_reader *reader, uint64_t n, uint64_t offset, const char *leaf)
{
    return reader->at + n <= GGFS_HEADER_MAX ||
           ggfs_reader_fail(reader, offset, leaf,
                            "the header is longer than %" PRIu64 " bytes, the most that is read",
                            GGFS_HEADER_MAX);
}

static bool check_need(struct ggfs_reader *reader, uint64_t n, const char *leaf)
{
    if (n > ggfs_reader_left(reader))
        return ggfs_reader_fail(reader, reader->at, leaf,
                                "needs %" PRIu64 " bytes, but the file ends after %" PRIu64, n,
                                ggfs_reader_left(reader));
    return check_end(reader, n, reader->at, leaf);
}

static bool fill(struct ggfs_reader *reader, uint64_t n)
{
    if (reader->at + n <= reader->have)
        return true;
    if (!reader->window)
        return read_up_to(reader, reader->at + n);
    reader->base = reader->at;
    reader->have = reader->at;
    return read_piece(reader, FIRST_READ);
}

bool ggfs_reader_need(struct ggfs_reader *reader, uint64_t n, const char *leaf)
{
    return check_need(reader, n, leaf) && fill(reader, n);
}

bool ggfs_reader_skip(struct ggfs_reader *reader, uint64_t n, const char *leaf)
{
    if (!check_need(reader, n, leaf) || (!reader->window && !fill(reader, n)))
        return false;
    reader->at += n;
    return true;
}

uint64_t ggfs_reader_strings(struct ggfs_reader *reader, uint64_t n)
{
    uint64_t end = ggfs_num_min(reader->have, GGFS_HEADER_MAX), done = 0, len;
    uint8_t width = reader->len_bytes;

    while (done < n && reader->at < end && end - reader->at >= width) {
        len = width == 8 ? ggfs_num_u64(ggfs_reader_cursor(reader), reader->big)
                         : ggfs_num_u32(ggfs_reader_cursor(reader), reader->big);
        if (len > end - reader->at - width)
            break;
        reader->at += width + len;
        done++;
    }
    return done;
}

bool ggfs_reader_u32(struct ggfs_reader *reader, const char *leaf, uint32_t *out)
{
    if (!ggfs_reader_need(reader, 4, leaf))
        return false;
    *out = ggfs_num_u32(ggfs_reader_cursor(reader), reader->big);
    reader->at += 4;
    return true;
}

bool ggfs_reader_u64(struct ggfs_reader *reader, const char *leaf, uint64_t *out)
{
    if (!ggfs_reader_need(reader, 8, leaf))
        return false;
    *out = ggfs_num_u64(ggfs_reader_cursor(reader), reader->big);
    reader->at += 8;
    return true;
}

bool ggfs_reader_length(struct ggfs_reader *reader, const char *leaf, uint64_t *out)
{
    uint32_t narrow;

    if (reader->len_bytes == 8)
        return ggfs_reader_u64(reader, leaf, out);
    if (!ggfs_reader_u32(reader, leaf, &narrow))
        return false;
    *out = narrow;
    return true;
}

static bool take_string_length(struct ggfs_reader *reader, const char *leaf, uint64_t *len)
{
    uint64_t length_at = reader->at;

    if (!ggfs_reader_length(reader, leaf, len))
        return false;
    if (*len > ggfs_reader_left(reader))
        return ggfs_reader_fail(reader, length_at, leaf,
                                "%" PRIu64 " bytes, but only %" PRIu64 " are left in the file",
                                *len, ggfs_reader_left(reader));
    return check_end(reader, *len, length_at, leaf);
}

bool ggfs_reader_string(struct ggfs_reader *reader, const char *leaf, uint64_t *len)
{
    return take_string_length(reader, leaf, len) && ggfs_reader_skip(reader, *len, leaf);
}

bool ggfs_reader_name(struct ggfs_reader *reader, const char *leaf, const char *name, uint64_t *len,
                      bool *same)
{
    if (!take_string_length(reader, leaf, len))
        return false;
    *same = *len == strlen(name);
    if (*same && !fill(reader, *len))
        return false;
    *same = *same && memcmp(ggfs_reader_cursor(reader), name, *len) == 0;
    return ggfs_reader_skip(reader, *len, leaf);
}

uint8_t *ggfs_reader_finish(struct ggfs_reader *reader, uint64_t *size)
{
    uint8_t *bytes = reader->bytes;
    uint8_t *cut = realloc(bytes, reader->at ? reader->at : 1);

    *size = reader->at;
    reader->bytes = NULL;
    return cut ? cut : bytes;
}

void ggfs_reader_drop(struct ggfs_reader *reader)
{
    free(reader->bytes);
    reader->bytes = NULL;
}
