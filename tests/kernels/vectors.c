/* SPDX-License-Identifier: MIT */
/* vectors.c - blocks with the values that they are known to decode to. */
#include <config.h>

#include "checkkern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of the small set; tests/vectors/README tells its form. */
struct row {
    size_t line, nblocks, nvalues; /* nvalues 0: only the digest */
    enum ggfs_type type;
    uint64_t digest;
    uint8_t *blocks;
    float *values;
};

static struct row *rows;
static size_t nrows;

void vectors_free(void)
{
    for (size_t i = 0; i < nrows; i++) {
        free(rows[i].blocks);
        free(rows[i].values);
    }
    free(rows);
    rows = NULL;
    nrows = 0;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

/* FNV-1a over the words, every NaN being 7fc00000. */
static uint64_t digest_of(const float *values, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bits_of(values[i])) * 0x100000001b3;
    return hash;
}

static enum ggfs_type type_named(const char *name)
{
    int type = 0;
    while (type < GGFS_TYPE_COUNT && strcmp(ggfs_types[type].name, name) != 0)
        type++;
    return (enum ggfs_type)type;
}

static bool parse_bytes(struct row *row, const char *hex)
{
    size_t n = strlen(hex) / 2;

    row->blocks = malloc(n);
    row->nblocks = n / ggfs_types[row->type].block_bytes;
    if (!row->blocks || row->nblocks * ggfs_types[row->type].block_bytes * 2 != strlen(hex))
        return false;
    for (size_t i = 0; i < n; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        row->blocks[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return true;
}

static bool parse_values(struct row *row, const char *hex)
{
    row->nvalues = strlen(hex) / 8;
    if (row->nvalues == 0)
        return true;
    row->values = malloc(row->nvalues * sizeof(float));
    if (!row->values || row->nvalues != row->nblocks * ggfs_types[row->type].block_values)
        return false;
    for (size_t i = 0; i < row->nvalues; i++) {
        char digits[9] = {0};
        memcpy(digits, hex + 8 * i, 8);
        uint32_t bits = (uint32_t)strtoul(digits, NULL, 16);
        memcpy(row->values + i, &bits, sizeof bits);
    }
    return true;
}

static bool parse_line(char *text, size_t line)
{
    char *field[4] = {text};
    struct row row = {.line = line};

    text[strcspn(text, "\n")] = 0;
    for (int i = 1; i < 4; i++) {
        field[i] = strchr(field[i - 1], '\t');
        if (!field[i])
            return false;
        *field[i]++ = 0;
    }
    row.type = type_named(field[0]);
    row.digest = strtoull(field[2], NULL, 16);
    struct row *more = realloc(rows, (nrows + 1) * sizeof *rows);
    if (!more || row.type == GGFS_TYPE_NONE)
        return false;
    rows = more;
    bool good = parse_bytes(&row, field[1]) && parse_values(&row, field[3]);
    rows[nrows++] = row;
    return good;
}

bool vectors_load(const char *file)
{
    FILE *f = fopen(file, "r");
    char *text = NULL;
    size_t size = 0, line = 0;
    bool good = f != NULL;

    while (good && getline(&text, &size, f) > 0)
        if (++line && text[0] != '#')
            good = parse_line(text, line);
    free(text);
    if (f)
        fclose(f);
    if (!good)
        fprintf(stderr, "checkkern: %s: %s\n", file, f ? "a line of another form" : "no such file");
    return good;
}

/* The blocks' values, behind which nothing was written; NULL after a report. */
static float *decode(const struct subject *s, const uint8_t *blocks, size_t nblocks)
{
    enum { SLACK = 1024, PATTERN = 0x5a };
    size_t bytes = nblocks * s->info->block_values * sizeof(float);
    uint8_t *got = malloc(bytes + SLACK);

    if (!got) {
        subject_fail(s, "out of memory");
        return NULL;
    }
    memset(got, PATTERN, bytes + SLACK);
    s->fn((float *)(void *)got, blocks, nblocks);
    for (size_t i = bytes; i < bytes + SLACK; i++)
        if (got[i] != PATTERN) {
            subject_fail(s, "%zu blocks: wrote behind the last value", nblocks);
            free(got);
            return NULL;
        }
    return (float *)(void *)got;
}

static bool run_row(const struct subject *s, const struct row *row)
{
    size_t n = row->nblocks * s->info->block_values;
    float *got = decode(s, row->blocks, row->nblocks);

    if (!got)
        return false;
    bool good = row->nvalues == 0 || subject_same(s, got, row->values, n);
    if (good && digest_of(got, n) != row->digest)
        good = subject_fail(s, "line %zu: digest %016llx", row->line,
                            (unsigned long long)digest_of(got, n));
    free(got);
    return good;
}

bool vectors_run(struct subject *s)
{
    size_t run = 0;

    s->step = "vectors";
    for (size_t i = 0; i < nrows; i++)
        if (rows[i].type == s->type) {
            if (!run_row(s, &rows[i]))
                return false;
            run++;
        }
    return run || nrows == 0 || subject_fail(s, "no vectors in the tree");
}

/* The whole of dir/NAME.suffix, or NULL. */
static void *read_file(const char *dir, const char *name, const char *suffix, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", dir, name, suffix);
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long end = ftell(f);
    rewind(f);
    *size = end > 0 ? (size_t)end : 0;
    void *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, f) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(f);
    return bytes;
}

/* Types from before GGUF: their vectors have the names of that time, or there are none. */
static const struct {
    const char *type, *file;
} old_names[] = {
    {"Q4_0-v1", "Q4_0.ggjt1"}, {"Q4_1-v1", "Q4_1.ggjt1"}, {"Q5_0-v1", "Q5_0.ggjt1"},
    {"Q5_1-v1", "Q5_1.ggjt1"}, {"Q8_0-v1", "Q8_0.ggjt1"}, {"Q8_0-v2", "Q8_0.ggjt1"},
    {"Q4_0-v2", "Q4_0.ggjt2"}, {"Q4_1-v2", "Q4_1.ggjt2"}, {"Q4_2-v1", "Q4_2"},
    {"Q4_3-v1", "Q4_3"},       {"Q4_1_O", NULL},          {"Q2_K-64", NULL},
    {"Q3_K-64", NULL},         {"Q4_K-64", NULL},         {"Q5_K-64", NULL},
    {"Q6_K-64", NULL},
};

static const char *file_of(const char *type)
{
    for (size_t i = 0; i < sizeof old_names / sizeof *old_names; i++)
        if (strcmp(old_names[i].type, type) == 0)
            return old_names[i].file;
    return type;
}

bool vectors_run_full(struct subject *s, const char *dir)
{
    const char *name = file_of(s->info->name);
    size_t in = 0, out = 0;
    bool good;

    s->step = "full vectors";
    if (!name)
        return true;
    uint8_t *blocks = read_file(dir, name, "blocks", &in);
    float *want = read_file(dir, name, "f32", &out), *got = NULL;
    size_t nblocks = in / s->info->block_bytes;
    if (!blocks || !want || out != nblocks * s->info->block_values * sizeof *got) {
        good = subject_fail(s, "%s: no such vectors", dir);
    } else {
        got = decode(s, blocks, nblocks);
        good = got && subject_same(s, got, want, out / sizeof *got);
    }
    free(blocks);
    free(want);
    free(got);
    return good;
}
