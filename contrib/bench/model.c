/* SPDX-License-Identifier: MIT */
/* model.c - the header by the tests' model writer, the weights as one tile of blocks a type,
 * written again and again. */
#include <config.h>

#include "model.h"

#include "checkkern.h"
#include "mkmodel.h"
#include "say.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows are as long as in models of 7 and 8 thousand million weights; so are the columns of the
 * typed tensors where the model has FULL_MIB. */
enum { ROW = 4096, TYPED_ROWS = 11008, FULL_MIB = 1024, ROWS_STEP = 128 };

/* Large enough for large folios in the page cache, as a download makes them. */
#define TILE (size_t)(4 << 20)

static const struct {
    const char *name;
    uint32_t number; /* in files */
    enum ggfs_type type;
} types[MODEL_TYPES] = {
    [MODEL_Q4_0] = {"blk.0.ffn_up.weight", 2, GGFS_TYPE_Q4_0},
    [MODEL_Q4_K] = {"blk.1.ffn_up.weight", 12, GGFS_TYPE_Q4_K},
    [MODEL_Q6_K] = {"blk.2.ffn_up.weight", 14, GGFS_TYPE_Q6_K},
    [MODEL_Q8_0] = {"blk.3.ffn_up.weight", 8, GGFS_TYPE_Q8_0},
    [MODEL_IQ2_XXS] = {"blk.4.ffn_up.weight", 16, GGFS_TYPE_IQ2_XXS},
    [MODEL_F16] = {"blk.5.ffn_up.weight", 1, GGFS_TYPE_F16},
    [MODEL_BF16] = {"blk.6.ffn_up.weight", 30, GGFS_TYPE_BF16},
    [MODEL_F32] = {"blk.7.ffn_up.weight", 0, GGFS_TYPE_F32},
};

const char *model_typed_name(unsigned type)
{
    return types[type].name;
}

static uint64_t row_bytes(enum ggfs_type type)
{
    return (uint64_t)ROW / ggfs_types[type].block_values * ggfs_types[type].block_bytes;
}

/* Syllables with a number behind them now and then: distinct, some 8 bytes long. */
static int token(uint64_t i, char *text, size_t size)
{
    static const char *const parts[16] = {"an", "ber", "co", "der", "el", "fu", "gra", "hin",
                                          "is", "jo",  "ka", "lo",  "mi", "ne", "ou",  "per"};

    return snprintf(text, size, "%s%s%s%" PRIu64, i % 3 ? "\xC4\xA0" : "", parts[i % 16],
                    parts[i / 16 % 16], i / 256);
}

static void put_words(struct mk *m, uint64_t tokens)
{
    char text[64];

    mk_key_str(m, "tokenizer.ggml.model", "gpt2");
    mk_key_array(m, "tokenizer.ggml.tokens", MK_STR, tokens);
    for (uint64_t i = 0; i < tokens; i++)
        mk_string_n(m, text, (size_t)token(i, text, sizeof text));
    mk_key_array(m, "tokenizer.ggml.token_type", MK_I32, tokens);
    for (uint64_t i = 0; i < tokens; i++)
        mk_u32(m, 1);
    mk_key_int(m, "tokenizer.ggml.bos_token_id", MK_U32, 1);
    mk_key_int(m, "tokenizer.ggml.eos_token_id", MK_U32, 2);
}

static void start(struct mk *m, const char *name)
{
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
    mk_key_str(m, "general.name", name);
    mk_key_int(m, "llama.context_length", MK_U32, 8192);
}

static bool write_header(struct mk *m, const char *path)
{
    bool ok;

    mk_data(m);
    m->file_size = m->data_at + m->next;
    ok = mk_write(m, path);
    mk_free(m);
    return ok;
}

static uint8_t *make_tile(enum ggfs_type type, size_t *size)
{
    const struct ggfs_type_info *info = &ggfs_types[type];
    uint64_t state = 1;
    uint8_t *tile;

    *size = TILE / info->block_bytes * info->block_bytes;
    tile = malloc(*size);
    if (tile)
        blocks_fill(info, &state, SCALES_PLAIN, tile, *size / info->block_bytes);
    return tile;
}

static bool write_tiles(int fd, struct range range, enum ggfs_type type)
{
    size_t size, part;
    uint8_t *tile = make_tile(type, &size);
    ssize_t wrote = tile ? 1 : -1;

    for (uint64_t done = 0; wrote > 0 && done < range.bytes; done += (uint64_t)wrote) {
        part = (size_t)(done % size);
        if (range.bytes - done < size - part)
            wrote =
                pwrite(fd, tile + part, (size_t)(range.bytes - done), (off_t)(range.offset + done));
        else
            wrote = pwrite(fd, tile + part, size - part, (off_t)(range.offset + done));
    }
    free(tile);
    return wrote > 0;
}

static struct range put_tensor(struct mk *m, const char *name, uint32_t number, uint64_t rows,
                               uint64_t bytes)
{
    uint64_t dims[2] = {ROW, rows};

    return (struct range){mk_tensor_next(m, name, number, 2, dims, bytes), bytes};
}

static void put_weights(struct mk *m, uint64_t mib, struct weights *weights)
{
    uint64_t rows = TYPED_ROWS * mib / FULL_MIB / ROWS_STEP * ROWS_STEP, left = mib << 20;

    if (rows < ROWS_STEP)
        rows = ROWS_STEP;
    weights->floats = rows * ROW * sizeof(float);
    for (unsigned t = 0; t < MODEL_TYPES; t++) {
        uint64_t bytes = rows * row_bytes(types[t].type);
        weights->typed[t] = put_tensor(m, types[t].name, types[t].number, rows, bytes);
        left -= bytes < left ? bytes : left;
    }
    rows = left / row_bytes(GGFS_TYPE_F16) + ROWS_STEP;
    weights->raw =
        put_tensor(m, MODEL_RAW, types[MODEL_F16].number, rows, rows * row_bytes(GGFS_TYPE_F16));
}

/* From the data section to the file. */
static void shift(struct weights *weights, uint64_t data_at)
{
    weights->raw.offset += data_at;
    for (unsigned t = 0; t < MODEL_TYPES; t++)
        weights->typed[t].offset += data_at;
}

static bool fill_weights(const char *path, const struct weights *weights)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0;

    for (unsigned t = 0; ok && t < MODEL_TYPES; t++)
        ok = write_tiles(fd, weights->typed[t], types[t].type);
    /* What is not on the disk yet would be written while something is measured. */
    ok = ok && write_tiles(fd, weights->raw, GGFS_TYPE_F16) && fsync(fd) == 0;
    if (!ok)
        say_errno(path);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool model_weights(const char *path, uint64_t mib, struct weights *weights)
{
    struct mk m;

    start(&m, "bench weights");
    put_weights(&m, mib, weights);
    mk_data(&m);
    shift(weights, m.data_at);
    return write_header(&m, path) && fill_weights(path, weights);
}

bool model_words(const char *path, uint64_t tokens)
{
    struct mk m;

    start(&m, "bench words");
    put_words(&m, tokens);
    return write_header(&m, path);
}

bool model_large(const char *path, uint64_t *header)
{
    enum { TOKENS = 150000, TENSORS = 1000, ROWS = 1521 };
    uint64_t bytes = ROWS * row_bytes(GGFS_TYPE_Q4_0);
    char name[64];
    struct mk m;

    start(&m, "bench large");
    put_words(&m, TOKENS);
    for (int i = 0; i < TENSORS; i++) {
        snprintf(name, sizeof name, "blk.%d.ffn_part_%d.weight", i / 10, i % 10);
        put_tensor(&m, name, types[MODEL_Q4_0].number, ROWS, bytes);
    }
    mk_data(&m);
    *header = m.data_at;
    return write_header(&m, path);
}

static bool write_small(const char *path, const char *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
    bool ok = fd >= 0 && write(fd, bytes, n) == (ssize_t)n;

    if (fd >= 0)
        close(fd);
    return ok || say_errno(path);
}

bool model_words_folder(const char *folder, uint64_t tokens)
{
    char text[64];

    for (uint64_t i = 0; i < tokens; i++) {
        struct path path = path_of("%s/%" PRIu64, folder, i);
        if (!write_small(path.text, text, (size_t)token(i, text, sizeof text)))
            return false;
    }
    return true;
}
