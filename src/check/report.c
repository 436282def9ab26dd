/* SPDX-License-Identifier: MIT */
/* report.c - findings as sentences. */
#include <config.h>

#include "check/report.h"

#include "base/sink.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longer names are cut. */
#define NAME_SHOWN 64

/* Name and number of a field, the sentence, and the name of what it is about. */
struct sentence {
    char text[768];
    struct ggfs_sink sink;
};

static void start(struct sentence *s)
{
    ggfs_sink_window(&s->sink, 0, s->text, sizeof s->text);
}

static void put_text(struct sentence *s, const char *text)
{
    ggfs_sink_put(&s->sink, text, strlen(text));
}

GGFS_PRINTF(2, 0)
static void put_format(struct sentence *s, const char *format, va_list args)
{
    char text[512];

    vsnprintf(text, sizeof text, format, args);
    put_text(s, text);
}

static void put_name(struct sentence *s, const char *what, struct ggfs_str name)
{
    struct ggfs_str shown = {name.ptr, ggfs_text_piece(name, NAME_SHOWN)};

    put_text(s, " (");
    put_text(s, what);
    put_text(s, " \"");
    ggfs_sink_str(&s->sink, shown);
    put_text(s, shown.len < name.len ? "…\")" : "\")");
}

static void count(struct ggfs_check_counts *counts, enum ggfs_level level)
{
    if (level == GGFS_LEVEL_ERROR)
        counts->errors++;
    else if (level == GGFS_LEVEL_WARNING)
        counts->warnings++;
    else
        counts->notes++;
}

static void send(const struct ggfs_report *report, uint32_t source, uint64_t offset,
                 enum ggfs_level level, struct sentence *s)
{
    const struct ggfs_finding finding = {.file = report->model->sources[source].path,
                                         .offset = offset,
                                         .level = level,
                                         .check = report->check,
                                         .text = {s->text, s->sink.got}};

    count(report->counts, level);
    report->found(report->context, &finding);
}

void ggfs_report_file(const struct ggfs_report *report, uint32_t source, uint64_t offset,
                      enum ggfs_level level, const char *format, ...)
{
    struct sentence s;
    va_list args;

    start(&s);
    va_start(args, format);
    put_format(&s, format, args);
    va_end(args);
    send(report, source, offset, level, &s);
}

void ggfs_report_key(const struct ggfs_report *report, const struct ggfs_key *key,
                     const char *field, uint64_t offset, enum ggfs_level level, const char *format,
                     ...)
{
    struct sentence s;
    char place[64];
    va_list args;

    start(&s);
    snprintf(place, sizeof place, "kv[%td]%s%s: ", key - report->model->keys,
             field[0] == '[' ? "" : ".", field);
    put_text(&s, place);
    va_start(args, format);
    put_format(&s, format, args);
    va_end(args);
    put_name(&s, "key", key->name);
    send(report, key->source, offset, level, &s);
}

GGFS_PRINTF(6, 0)
static void send_tensor(const struct ggfs_report *report, uint32_t index, const char *field,
                        uint64_t offset, enum ggfs_level level, const char *format, va_list args)
{
    const struct ggfs_tensor *tensor = &report->model->tensors[index];
    struct sentence s;

    start(&s);
    put_text(&s, field);
    put_text(&s, ": ");
    put_format(&s, format, args);
    put_name(&s, "tensor", tensor->name);
    send(report, tensor->source, offset, level, &s);
}

void ggfs_report_tensor(const struct ggfs_report *report, uint32_t index, enum ggfs_fault fault,
                        enum ggfs_level level, const char *format, ...)
{
    char field[64];
    uint64_t offset = ggfs_tensor_field(report->model, index, fault, field, sizeof field);
    va_list args;

    va_start(args, format);
    send_tensor(report, index, field, offset, level, format, args);
    va_end(args);
}

void ggfs_report_place(const struct ggfs_report *report, uint32_t index, const char *field,
                       uint64_t offset, enum ggfs_level level, const char *format, ...)
{
    char place[64];
    va_list args;

    snprintf(place, sizeof place, "tensor[%" PRIu32 "].%s", index, field);
    va_start(args, format);
    send_tensor(report, index, place, offset, level, format, args);
    va_end(args);
}
