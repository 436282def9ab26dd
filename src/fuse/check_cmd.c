/* SPDX-License-Identifier: MIT */
/* check_cmd.c - findings printed: tab-separated as they come, or one JSON document at the end. */
#include <config.h>

#include "fuse/check_cmd.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/sink.h"
#include "base/str.h"
#include "base/text.h"
#include "check/check.h"
#include "formats/format.h"
#include "fuse/options.h"
#include "fuse/status.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name of the finding about a file that a mount would refuse. */
#define REFUSED "format"

struct output {
    cJSON *findings; /* NULL: lines */
    bool failed;     /* no memory for the document */
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* What is said of a file as a whole is said of its first byte. */
static uint64_t offset_of(const struct ggfs_finding *finding)
{
    return finding->offset == GGFS_NO_OFFSET ? 0 : finding->offset;
}

static void print_escaped(const char *text)
{
    char piece[512];
    struct ggfs_sink sink;
    uint64_t done = 0;

    do {
        ggfs_sink_window(&sink, done, piece, sizeof piece);
        ggfs_text_escape(&sink, ggfs_str_from(text));
        fwrite(piece, 1, sink.got, stdout);
        done += sink.got;
    } while (sink.got == sizeof piece);
}

static void print_line(const struct ggfs_finding *finding)
{
    print_escaped(finding->file);
    printf("\t0x%" PRIx64 "\t%s\t%s\t", offset_of(finding), ggfs_level_name(finding->level),
           finding->check);
    print_escaped(finding->text);
    putchar('\n');
}

/* cJSON would pass on bytes that are not UTF-8. */
static cJSON *json_text(const char *text)
{
    struct ggfs_str s = ggfs_str_from(text);
    struct ggfs_sink sink;
    cJSON *item = NULL;
    char *rendered;

    ggfs_sink_count(&sink);
    ggfs_text_json_string(&sink, s);
    rendered = ggfs_mem_alloc((size_t)sink.total + 1, NULL);
    if (!rendered)
        return NULL;
    ggfs_sink_window(&sink, 0, rendered, (size_t)sink.total);
    ggfs_text_json_string(&sink, s);
    rendered[sink.got] = '\0';
    item = cJSON_CreateRaw(rendered);
    free(rendered);
    return item;
}

/* cJSON's numbers are doubles. */
static cJSON *json_number(uint64_t number)
{
    char digits[GGFS_TEXT_NUMBER + 1];

    digits[ggfs_text_u64(digits, number)] = '\0';
    return cJSON_CreateRaw(digits);
}

/* Takes item over in any case. */
static bool put(cJSON *object, const char *name, cJSON *item)
{
    if (item && cJSON_AddItemToObject(object, name, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static bool add_json(cJSON *findings, const struct ggfs_finding *finding)
{
    cJSON *object = cJSON_CreateObject();

    if (object && put(object, "file", json_text(finding->file)) &&
        put(object, "offset", json_number(offset_of(finding))) &&
        put(object, "level", json_text(ggfs_level_name(finding->level))) &&
        put(object, "check", json_text(finding->check)) &&
        put(object, "text", json_text(finding->text)) && cJSON_AddItemToArray(findings, object))
        return true;
    cJSON_Delete(object);
    return false;
}

static void report(void *context, const struct ggfs_finding *finding)
{
    struct output *output = context;

    if (!output->findings)
        print_line(finding);
    else if (!output->failed)
        output->failed = !add_json(output->findings, finding);
}

/* A model that a mount would refuse is one finding, of the file of it that is wrong. */
static void report_refused(struct output *output, const struct ggfs_err *err,
                           struct ggfs_check_counts *counts)
{
    char text[sizeof err->field + sizeof err->text + 2];
    struct ggfs_finding finding = {
        .file = base_name(err->file),
        .offset = err->offset,
        .level = GGFS_LEVEL_ERROR,
        .check = REFUSED,
        .text = text,
    };

    snprintf(text, sizeof text, "%s%s%s", err->field, err->field[0] ? ": " : "", err->text);
    report(output, &finding);
    counts->errors++;
}

static bool look(const struct ggfs_options *options, struct output *output,
                 struct ggfs_check_counts *counts, struct ggfs_err *err)
{
    struct ggfs_model *model = ggfs_formats_open(options->model, &options->open, err);
    bool done;

    if (!model && err->kind == GGFS_ERR_FORMAT) {
        report_refused(output, err, counts);
        return true;
    }
    if (!model)
        return false;
    done = ggfs_check_model(model, options->deep != 0, report, output, counts, err);
    ggfs_model_free(model);
    return done;
}

static bool print_json(const char *path, const struct ggfs_check_counts *counts, cJSON *document)
{
    char *text = NULL;

    if (put(document, "model", json_text(path)) &&
        put(document, "errors", json_number(counts->errors)) &&
        put(document, "warnings", json_number(counts->warnings)) &&
        put(document, "notes", json_number(counts->notes)))
        text = cJSON_Print(document);
    if (!text)
        return false;
    puts(text);
    cJSON_free(text);
    return true;
}

static void print_counts(const char *path, const struct ggfs_check_counts *counts)
{
    struct ggfs_err said;

    ggfs_err_init(&said, base_name(path));
    snprintf(said.text, sizeof said.text,
             "errors %" PRIu64 ", warnings %" PRIu64 ", notes %" PRIu64, counts->errors,
             counts->warnings, counts->notes);
    ggfs_log_about(GGFS_LOG_INFO, &said);
}

static bool run(const struct ggfs_options *options, cJSON *document,
                struct ggfs_check_counts *counts, struct ggfs_err *err)
{
    struct output output = {.findings = NULL};

    if (document) {
        output.findings = cJSON_AddArrayToObject(document, "findings");
        if (!output.findings)
            return ggfs_fail_memory(err, 0);
    }
    if (!look(options, &output, counts, err))
        return false;
    if (document && (output.failed || !print_json(options->model, counts, document)))
        return ggfs_fail_memory(err, 0);
    if (fflush(stdout) != 0 || ferror(stdout))
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot write the findings");
    print_counts(options->model, counts);
    return true;
}

int ggfs_check_command(const struct ggfs_options *options, struct ggfs_err *err)
{
    struct ggfs_check_counts counts = {0};
    cJSON *document = options->json ? cJSON_CreateObject() : NULL;
    bool done;

    ggfs_err_init(err, options->model);
    done = options->json && !document ? ggfs_fail_memory(err, 0)
                                      : run(options, document, &counts, err);
    cJSON_Delete(document);
    if (!done) {
        ggfs_log_err(err);
        return GGFS_STATUS_NO_LOOK;
    }
    return counts.errors || counts.warnings ? GGFS_STATUS_FINDINGS : GGFS_STATUS_CLEAN;
}
