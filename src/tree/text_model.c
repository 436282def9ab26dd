/* SPDX-License-Identifier: MIT */
/* text_model.c - README.txt, summary.txt and format: what is said of the model as a whole. */
#include <config.h>

#include "tree/impl.h"

#include "base/num.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char readme[] =
    "This directory is a model file, opened by ggfs. Everything in it is read-only.\n"
    "\n"
    "  summary.txt        what this model is, in a few lines\n"
    "  format             container, version and byte order\n"
    "  metadata/KEY       one file a key: its value as text\n"
    "  metadata.json      all keys in one document; metadata.tsv: the same, a line a key\n"
    "  tensors/NAME       a tensor's bytes exactly as the model file stores them\n"
    "  tensors.tsv        name, type, shape and size of each tensor; tensors.json: all there is\n"
    "                     to say of them, with their places in the file\n"
    "  vocab/tokens/ID    a token's exact bytes; vocab/ids/TOKEN: the way back\n"
    "  vocab/vocab.tsv    id, type, score and token, a line each\n"
    "  views/f32/NAME.f32 a tensor's values as little-endian float32, decoded when read:\n"
    "                     numpy.fromfile(path, '<f4')\n"
    "  views/npy/NAME.npy the same with its shape: numpy.load(path, mmap_mode='r')\n"
    "\n"
    "In file names `/` is written %2F, `%` is %25, NUL is %00. A name's second bearer has %~2\n"
    "behind it; a name too long for a file name is cut and carries %~ and a hash.\n"
    "The manual page ggfs(5) says the rest.\n";

bool ggfs_step_readme(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                      struct ggfs_sink *out)
{
    (void)tree;
    (void)index;
    (void)at;
    ggfs_sink_put(out, readme, sizeof readme - 1);
    return false;
}

bool ggfs_step_format(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                      struct ggfs_sink *out)
{
    (void)index;
    (void)at;
    ggfs_sink_str(out, ggfs_str_from(tree->model->format));
    ggfs_sink_byte(out, '\n');
    return false;
}

static void put(struct ggfs_sink *out, const char *format, ...) GGFS_PRINTF(2, 3);

static void put(struct ggfs_sink *out, const char *format, ...)
{
    char line[512];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ggfs_sink_put(out, line, ggfs_num_min((uint64_t)n, sizeof line - 1));
}

#define LONGEST_STRING 1000

/* A line whose value is a string of the model; left out where it has none. */
static void put_string(struct ggfs_sink *out, const char *label, struct ggfs_str value)
{
    struct ggfs_str start = {value.ptr, ggfs_text_piece(value, LONGEST_STRING)};

    if (value.len == 0)
        return;
    put(out, "%s: ", label);
    ggfs_text_escape(out, start);
    ggfs_sink_str(out, start.len < value.len ? GGFS_STR("...\n") : GGFS_STR("\n"));
}

/* `6738415616 (6.74 billion)` */
static void put_count(struct ggfs_sink *out, const char *label, uint64_t count)
{
    static const struct {
        double unit;
        const char *word;
    } units[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};

    put(out, "%s: %" PRIu64, label, count);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if ((double)count < units[i].unit)
            continue;
        put(out, " (%.2f %s)", (double)count / units[i].unit, units[i].word);
        break;
    }
    ggfs_sink_byte(out, '\n');
}

/* `ARCHITECTURE.context_length` as a number. */
static bool context_length(const struct ggfs_model *model, uint64_t *length)
{
    struct ggfs_str architecture = ggfs_model_text(model, "general.architecture");
    const struct ggfs_key *key;
    char name[128];

    if (architecture.len == 0 || architecture.len > 64)
        return false;
    snprintf(name, sizeof name, "%.*s.context_length", (int)architecture.len, architecture.ptr);
    key = ggfs_model_key(model, name);
    return key && ggfs_value_as_u64(&key->value, length);
}

/* What all tensors together come to. Sums that leave 64 bits stay at the largest number. */
struct totals {
    uint64_t values, bytes, counted_bytes;
    uint32_t of_type[GGFS_TYPE_COUNT + 1];
};

static void add(uint64_t *sum, uint64_t more)
{
    if (!ggfs_num_add(*sum, more, sum))
        *sum = UINT64_MAX;
}

static void sum_up(const struct ggfs_model *model, struct totals *totals)
{
    memset(totals, 0, sizeof *totals);
    for (uint32_t i = 0; i < model->n_tensors; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        bool counts = tensor->type != GGFS_TYPE_NONE && tensor->values > 0;
        totals->of_type[tensor->type]++;
        add(&totals->values, tensor->values);
        add(&totals->bytes, tensor->bytes);
        add(&totals->counted_bytes, counts ? tensor->bytes : 0);
    }
}

static void put_types(struct ggfs_sink *out, const struct totals *totals)
{
    const char *between = "tensor types: ";

    for (unsigned type = 0; type <= GGFS_TYPE_COUNT; type++) {
        const char *name = type < GGFS_TYPE_COUNT ? ggfs_types[type].name : "unknown";
        if (totals->of_type[type] == 0)
            continue;
        put(out, "%s%s %" PRIu32, between, name, totals->of_type[type]);
        between = ", ";
    }
    if (between[0] == ',')
        ggfs_sink_byte(out, '\n');
}

/* A model that was cut mounts all the same; whoever reads the summary shall know. */
static void put_damage(struct ggfs_sink *out, const struct ggfs_model *model)
{
    uint32_t damaged = 0;

    for (uint32_t i = 0; i < model->n_tensors; i++)
        damaged += ggfs_tensor_present(model, &model->tensors[i]) < model->tensors[i].bytes;
    if (damaged)
        put(out, "damaged: %" PRIu32 " tensors are not wholly in the file; see ggfs --check\n",
            damaged);
}

static void put_tensors(struct ggfs_sink *out, const struct ggfs_model *model)
{
    struct totals totals;

    sum_up(model, &totals);
    put(out, "tensors: %" PRIu32 "\n", model->n_tensors);
    if (model->n_tensors == 0)
        return;
    put_count(out, "parameters", totals.values);
    put(out, "tensor bytes: %" PRIu64 "\n", totals.bytes);
    if (totals.values)
        put(out, "bits per weight: %.2f\n",
            8 * (double)totals.counted_bytes / (double)totals.values);
    put_types(out, &totals);
    put_damage(out, model);
}

bool ggfs_step_summary(const struct ggfs_tree *tree, uint64_t index, struct ggfs_text_at *at,
                       struct ggfs_sink *out)
{
    const struct ggfs_model *model = tree->model;
    uint64_t length;

    (void)index;
    (void)at;
    put(out, "format: %s\n", model->format);
    put_string(out, "architecture", ggfs_model_text(model, "general.architecture"));
    put_string(out, "name", ggfs_model_text(model, "general.name"));
    put_tensors(out, model);
    put(out, "file bytes: %" PRIu64 "\n", tree->model_bytes);
    if (model->file_type)
        put(out, "file type: %s\n", model->file_type);
    if (context_length(model, &length))
        put(out, "context length: %" PRIu64 "\n", length);
    put_string(out, "tokenizer", ggfs_model_text(model, "tokenizer.ggml.model"));
    if (tree->vocab.tokens)
        put(out, "vocabulary: %" PRIu32 " tokens\n", tree->vocab.n);
    put(out, "metadata keys: %" PRIu32 "\n", model->n_keys);
    return false;
}
