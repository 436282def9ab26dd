/* SPDX-License-Identifier: MIT */
/* check_cmd.c - findings printed: tab-separated as they come, or one JSON document at the end. */
#include <config.h>

#include "fuse/check_cmd.h"

#include "base/compiler.h"
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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Name of the finding about a file that a mount would refuse. */
#define REFUSED "format"

/* A file of a split model that has been looked at, and the path by which that was given. */
struct part {
    dev_t device;
    ino_t inode;
    const char *model;
};

/* All that one command line asks for. */
struct checking {
    const struct ggfs_options *options;
    struct part *parts;
    size_t n_parts;
};

/* One model of it. */
struct output {
    const char *path; /* as given */
    struct ggfs_check_counts counts;
    cJSON *document, *findings; /* NULL: lines */
    bool failed;                /* no memory for the document */
};

/* What is said of a file as a whole is said of its first byte. */
static uint64_t offset_of(const struct ggfs_finding *finding)
{
    return finding->offset == GGFS_NO_OFFSET ? 0 : finding->offset;
}

static void print_escaped(struct ggfs_str text)
{
    char piece[512];
    struct ggfs_sink sink;
    uint64_t done = 0;

    do {
        ggfs_sink_window(&sink, done, piece, sizeof piece);
        ggfs_text_escape(&sink, text);
        fwrite(piece, 1, sink.got, stdout);
        done += sink.got;
    } while (sink.got == sizeof piece);
}

static void print_line(const struct ggfs_finding *finding)
{
    print_escaped(ggfs_str_from(finding->file));
    printf("\t0x%" PRIx64 "\t%s\t%s\t", offset_of(finding), ggfs_level_name(finding->level),
           finding->check);
    print_escaped(finding->text);
    putchar('\n');
}

/* cJSON would pass on bytes that are not UTF-8. */
static cJSON *json_text(struct ggfs_str s)
{
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

static cJSON *json_word(const char *text)
{
    return json_text(ggfs_str_from(text));
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

    if (object && put(object, "file", json_word(finding->file)) &&
        put(object, "offset", json_number(offset_of(finding))) &&
        put(object, "level", json_word(ggfs_level_name(finding->level))) &&
        put(object, "check", json_word(finding->check)) &&
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
static void report_refused(struct output *output, const struct ggfs_err *err)
{
    char text[sizeof err->field + sizeof err->text + 2];
    struct ggfs_finding finding = {
        .file = err->file,
        .offset = err->offset,
        .level = GGFS_LEVEL_ERROR,
        .check = REFUSED,
    };

    snprintf(text, sizeof text, "%s%s%s", err->field, err->field[0] ? ": " : "", err->text);
    finding.text = ggfs_str_from(text);
    report(output, &finding);
    output->counts.errors++;
}

/* Any file of a split model opens all of it, and patterns name them all. Without memory for that
 * the model is looked at again. */
static void remember(struct checking *all, const struct ggfs_model *model, const char *path)
{
    size_t n = all->n_parts + model->n_sources;
    struct part *parts;

    if (model->n_sources == 1)
        return;
    parts = ggfs_mem_resize(all->parts, n * sizeof *parts, NULL);
    if (!parts)
        return;
    for (uint32_t i = 0; i < model->n_sources; i++)
        parts[all->n_parts + i] =
            (struct part){model->sources[i].stat.st_dev, model->sources[i].stat.st_ino, path};
    all->parts = parts;
    all->n_parts = n;
}

/* The model that path was looked at with, or NULL. */
static const char *looked_at_with(const struct checking *all, const char *path)
{
    struct stat st;

    if (all->n_parts == 0 || stat(path, &st) != 0)
        return NULL;
    for (size_t i = 0; i < all->n_parts; i++)
        if (all->parts[i].device == st.st_dev && all->parts[i].inode == st.st_ino)
            return all->parts[i].model;
    return NULL;
}

static bool look(struct checking *all, struct output *output, struct ggfs_err *err)
{
    struct ggfs_model *model = ggfs_formats_open(output->path, &all->options->open, err);
    bool done;

    if (!model && err->kind == GGFS_ERR_FORMAT) {
        report_refused(output, err);
        return true;
    }
    if (!model)
        return false;
    remember(all, model, output->path);
    done = ggfs_check_model(model, all->options->deep != 0, report, output, &output->counts, err);
    ggfs_model_free(model);
    return done;
}

static bool print_json(const struct output *output)
{
    cJSON *document = output->document;
    char *text = NULL;

    if (put(document, "model", json_word(output->path)) &&
        put(document, "errors", json_number(output->counts.errors)) &&
        put(document, "warnings", json_number(output->counts.warnings)) &&
        put(document, "notes", json_number(output->counts.notes)))
        text = cJSON_Print(document);
    if (!text)
        return false;
    puts(text);
    cJSON_free(text);
    return true;
}

/* A sentence about path that is no error. */
GGFS_PRINTF(2, 3)
static void say(const char *path, const char *format, ...)
{
    struct ggfs_err said;
    va_list args;

    ggfs_err_init(&said, path);
    va_start(args, format);
    vsnprintf(said.text, sizeof said.text, format, args);
    va_end(args);
    ggfs_log_about(GGFS_LOG_INFO, &said);
}

static bool start_json(struct output *output, struct ggfs_err *err)
{
    output->document = cJSON_CreateObject();
    if (output->document)
        output->findings = cJSON_AddArrayToObject(output->document, "findings");
    return output->findings || ggfs_fail_memory(err, 0);
}

static bool check(struct checking *all, struct output *output, struct ggfs_err *err)
{
    if (all->options->json && !start_json(output, err))
        return false;
    if (!look(all, output, err))
        return false;
    if (output->document && (output->failed || !print_json(output)))
        return ggfs_fail_memory(err, 0);
    if (fflush(stdout) != 0 || ferror(stdout))
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot write the findings");
    say(output->path, "errors %" PRIu64 ", warnings %" PRIu64 ", notes %" PRIu64,
        output->counts.errors, output->counts.warnings, output->counts.notes);
    return true;
}

/* The status for one model. */
static int check_one(struct checking *all, const char *path, struct ggfs_err *err)
{
    struct output output = {.path = path};
    const char *whole = looked_at_with(all, path);
    bool done;

    if (whole) {
        say(path, "looked at with %s", whole);
        return GGFS_STATUS_CLEAN;
    }
    ggfs_err_init(err, path);
    done = check(all, &output, err);
    cJSON_Delete(output.document);
    if (!done) {
        ggfs_log_err(err);
        return GGFS_STATUS_NO_LOOK;
    }
    return output.counts.errors || output.counts.warnings ? GGFS_STATUS_FINDINGS
                                                          : GGFS_STATUS_CLEAN;
}

int ggfs_check_command(const struct ggfs_options *options, struct ggfs_err *err)
{
    struct checking all = {.options = options};
    int worst = GGFS_STATUS_CLEAN;

    /* What cannot be written for one cannot be written for the next. */
    for (size_t i = 0; i < options->n_operands && !ferror(stdout); i++) {
        int status = check_one(&all, options->operands[i], err);
        if (status > worst)
            worst = status;
    }
    free(all.parts);
    return worst;
}
