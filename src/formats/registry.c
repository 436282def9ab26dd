/* SPDX-License-Identifier: MIT */
/* registry.c - the containers, and what to say of files that are none of them. */
#include <config.h>

#include "formats/format.h"

#include "base/num.h"
#include "base/text.h"
#include "formats/gguf.h"
#include "formats/legacy.h"
#include "formats/shard.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct ggfs_format *const ggfs_formats[] = {&ggfs_format_gguf, &ggfs_format_legacy, NULL};

/* What people take for a model file, by its first bytes. */
struct stranger {
    const char *start;
    const char *what;
    uint8_t length;
};

#define STARTS(text, what)           \
    {                                \
        text, what, sizeof(text) - 1 \
    }

static const struct stranger strangers[] = {
    STARTS("version https://git-lfs.github.com/",
           "a Git-LFS pointer, not the model itself: fetch it with `git lfs pull`"),
    STARTS("<!DOCTYPE", "an HTML page, not a model: the download was answered by a web page"),
    STARTS("<!doctype", "an HTML page, not a model: the download was answered by a web page"),
    STARTS("<html", "an HTML page, not a model: the download was answered by a web page"),
    STARTS("<HTML", "an HTML page, not a model: the download was answered by a web page"),
    STARTS("PK\x03\x04", "a zip archive (as PyTorch writes them), not a GGUF model"),
    STARTS("\x1F\x8B", "gzip-compressed: unpack it first"),
    STARTS("\x28\xB5\x2F\xFD", "zstd-compressed: unpack it first"),
    STARTS("\xFD"
           "7zXZ",
           "xz-compressed: unpack it first"),
};

/* Containers of the same family that are known by name only. */
static const struct stranger relatives[] = {
    STARTS("ccgg", "`ggcc`: a Falcon model of ggllm.cpp of July 2023, which ggfs does not read"),
    STARTS("nsgg", "`ggsn`: a saved session of llama.cpp, no model"),
    STARTS("qsgg", "`ggsq`: the saved state of one sequence of llama.cpp, no model"),
    STARTS("pcgg", "`ggcp`: a training checkpoint of llama.cpp, no model"),
    STARTS("ggml", "a model of chatglm.cpp, which ggfs does not read"),
    STARTS("FUGG", "`FUGG`: a draft of GGUF of August 2023 that was never released"),
};

/* So much of a text is shown. */
#define TEXT_SHOWN 32

static const struct stranger *find_stranger(const struct stranger *list, size_t n,
                                            const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (size >= list[i].length && memcmp(head, list[i].start, list[i].length) == 0)
            return &list[i];
    return NULL;
}

/* safetensors: a length of 8 bytes, then a JSON object. */
static bool is_safetensors(const uint8_t *head, size_t n, uint64_t size)
{
    return n >= 10 && head[8] == '{' && head[9] == '"' && ggfs_num_u64(head, false) < size;
}

/* UTF-8 without control characters but white space. The last character may be cut. */
static bool is_text(const uint8_t *head, size_t n)
{
    const char *text = (const char *)head;

    for (size_t i = 0, bytes; i < n; i += bytes) {
        bytes = ggfs_text_utf8(text + i, n - i);
        if (bytes == 0)
            return i > 0 && n - i < 4 && head[i] >= 0xC2;
        if (head[i] < ' ' && !memchr("\t\n\r\f", head[i], 4))
            return false;
    }
    return true;
}

/* Its first line, or as much of that as tells. */
static bool fail_text(const uint8_t *head, size_t n, struct ggfs_err *err)
{
    struct ggfs_str text = {(const char *)head, n};
    size_t shown = ggfs_text_piece(text, TEXT_SHOWN);

    for (size_t i = 0; i < shown; i++)
        if (head[i] == '\n' || head[i] == '\r')
            shown = i;
    return ggfs_fail(err, GGFS_ERR_FORMAT, 0, "magic",
                     "not a model file, but text that begins with \"%.*s\"", (int)shown, text.ptr);
}

static bool fail_magic(const uint8_t *head, size_t n, struct ggfs_err *err)
{
    const struct stranger *relative =
        find_stranger(relatives, sizeof relatives / sizeof *relatives, head, n);

    if (relative)
        return ggfs_fail(err, GGFS_ERR_FORMAT, 0, "magic", "%s", relative->what);
    if (n < 4)
        return ggfs_fail(err, GGFS_ERR_FORMAT, 0, "magic",
                         "not a model file: needs 4 bytes, but the file ends after %zu", n);
    if (is_text(head, n))
        return fail_text(head, n, err);
    return ggfs_fail(err, GGFS_ERR_FORMAT, 0, "magic",
                     "not a model file: it begins with the bytes %02x %02x %02x %02x, a GGUF model "
                     "with 47 47 55 46 (GGUF)",
                     head[0], head[1], head[2], head[3]);
}

static bool fail_unclaimed(const struct ggfs_source *source, const uint8_t *head, size_t n,
                           struct ggfs_err *err)
{
    const struct stranger *stranger =
        find_stranger(strangers, sizeof strangers / sizeof *strangers, head, n);

    if (source->size == 0)
        return ggfs_fail(err, GGFS_ERR_FORMAT, GGFS_NO_OFFSET, NULL, "an empty file");
    if (is_safetensors(head, n, source->size))
        return ggfs_fail(err, GGFS_ERR_FORMAT, GGFS_NO_OFFSET, NULL,
                         "a safetensors file, not a GGUF model");
    if (stranger)
        return ggfs_fail(err, GGFS_ERR_FORMAT, GGFS_NO_OFFSET, NULL, "%s", stranger->what);
    return fail_magic(head, n, err);
}

/* The container of model's file, which must be `only` unless that is NULL. */
static const struct ggfs_format *find_format(const struct ggfs_model *model,
                                             const struct ggfs_format *only, struct ggfs_err *err)
{
    uint8_t head[GGFS_FORMAT_HEAD];
    size_t n;

    if (!ggfs_source_read(&model->sources[0], 0, head, sizeof head, &n, err))
        return NULL;
    for (const struct ggfs_format *const *format = ggfs_formats; *format; format++)
        if ((!only || *format == only) && (*format)->probe(head, n))
            return *format;
    fail_unclaimed(&model->sources[0], head, n, err);
    return NULL;
}

/* What a file says of itself is not overruled. */
static bool takes_options(const struct ggfs_format *format, const struct ggfs_open_options *options,
                          struct ggfs_err *err)
{
    if (format != &ggfs_format_gguf || (!options->frame && !options->layout))
        return true;
    return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                     "-o %s=%s is for files from before GGUF, which do not say what is in them; "
                     "this one is %s and does",
                     options->frame ? "frame" : "layout",
                     options->frame ? options->frame : options->layout, format->name);
}

static bool open_source(struct ggfs_model *model, const char *path, struct ggfs_err *err)
{
    const char *copy = ggfs_arena_text(&model->arena, ggfs_str_from(path), err);

    model->sources = ggfs_arena_zero(&model->arena, 1, sizeof *model->sources, err);
    if (!copy || !model->sources || !ggfs_source_open(&model->sources[0], copy, err))
        return false;
    model->n_sources = 1;
    return true;
}

static struct ggfs_model *open_file(const struct ggfs_format **format, const char *path,
                                    const struct ggfs_open_options *options, struct ggfs_err *err)
{
    struct ggfs_model *model = ggfs_model_new(err);

    if (model && open_source(model, path, err) &&
        (*format = find_format(model, *format, err)) != NULL &&
        takes_options(*format, options, err) && (*format)->parse(model, options, err) &&
        ggfs_model_settle(model, err))
        return model;
    ggfs_model_free(model);
    return NULL;
}

struct ggfs_model *ggfs_formats_open_as(const struct ggfs_format *format, const char *path,
                                        const struct ggfs_open_options *options,
                                        struct ggfs_err *err)
{
    return open_file(&format, path, options, err);
}

struct ggfs_model *ggfs_formats_open(const char *path, const struct ggfs_open_options *options,
                                     struct ggfs_err *err)
{
    const struct ggfs_format *format = NULL;
    struct ggfs_model *model;
    char shard[PATH_MAX];

    if (access(path, F_OK) != 0 && errno == ENOENT && ggfs_shard_first(path, shard, err))
        path = shard;
    if (err->kind != GGFS_ERR_NONE)
        return NULL;
    model = open_file(&format, path, options, err);
    return model && format->join ? format->join(model, options, err) : model;
}
