/* SPDX-License-Identifier: MIT */
/* err.c - recording and printing errors. */
#include <config.h>

#include "base/err.h"

#include "base/sink.h"
#include "base/str.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ggfs_err_init(struct ggfs_err *err, const char *file)
{
    err->kind = GGFS_ERR_NONE;
    err->offset = GGFS_NO_OFFSET;
    err->field[0] = '\0';
    err->text[0] = '\0';
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
}

bool ggfs_fail(struct ggfs_err *err, enum ggfs_err_kind kind, uint64_t offset, const char *field,
               const char *format, ...)
{
    va_list args;

    if (!err || err->kind != GGFS_ERR_NONE)
        return false;
    err->kind = kind;
    err->offset = offset;
    snprintf(err->field, sizeof err->field, "%s", field ? field : "");
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool ggfs_fail_memory(struct ggfs_err *err, size_t bytes)
{
    if (bytes == 0)
        return ggfs_fail(err, GGFS_ERR_MEMORY, GGFS_NO_OFFSET, NULL, "no memory");
    return ggfs_fail(err, GGFS_ERR_MEMORY, GGFS_NO_OFFSET, NULL, "no memory for %zu bytes", bytes);
}

static void put_escaped(struct ggfs_sink *out, const char *text)
{
    ggfs_text_escape(out, ggfs_str_from(text));
}

void ggfs_err_format(const struct ggfs_err *err, char *out, size_t size)
{
    struct ggfs_sink sink;
    char number[32];

    ggfs_sink_window(&sink, 0, out, size - 1);
    if (err->file[0]) {
        put_escaped(&sink, err->file);
        put_escaped(&sink, ": ");
    }
    if (err->offset != GGFS_NO_OFFSET) {
        snprintf(number, sizeof number, "offset 0x%" PRIx64 ": ", err->offset);
        put_escaped(&sink, number);
    }
    if (err->field[0]) {
        put_escaped(&sink, err->field);
        put_escaped(&sink, ": ");
    }
    put_escaped(&sink, err->text);
    out[sink.got] = '\0';
}
