/* SPDX-License-Identifier: MIT */
/* check_legacy.c - files from before GGUF: each frame is found, what is odd is said, nothing that
 * is damaged passes for whole. */
#include <config.h>

#include "formats/format.h"
#include "model/model.h"
#include "models.h"
#include "opened.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True where some note of the level or worse holds the words. */
static bool noted(const struct opened *o, const char *words, enum ggfs_level level)
{
    for (const struct ggfs_note *note = o->model->notes; note; note = note->next)
        if (note->level >= level && strstr(note->text, words))
            return true;
    return false;
}

static const char *type_of(const struct opened *o, uint32_t index)
{
    return ggfs_types[o->model->tensors[index].type].name;
}

START_TEST(each_frame_is_found)
{
    static const struct {
        const char *kind, *format, *frame, *arch, *type;
        uint32_t tensors;
    } cases[] = {
        {"old-planar", "ggml", "w7", "llama", "Q4_0-planar", 2},
        {"old-gpt4all", "ggml", "w7-1", "llama", "F32", 1},
        {"old-type6", "ggjt 1", "w7", "llama", "Q8_0-v1", 2},
        {"old-v2", "ggjt 2", "w7", "llama", "Q4_0-v2", 1},
        {"old-both", "ggjt 3", "w7", "llama", "Q5_1", 1},
        {"old-straddle", "ggjt 3", "w7", "llama", "Q2_K", 1},
        {"old-narrow", "ggjt 3", "w7", "llama", "Q2_K-64", 2},
        {"old-vocab", "ggjt 3", "w7", "llama", NULL, 0},
        {"old-gpt-2", "ggml", "w6r", "gpt2", "Q8_0", 2},
        {"old-gpt-j", "ggml", "w7r", "gptj", "Q5_0", 1},
        {"old-neox", "ggml", "w8", "gptneox", "F16", 1},
        {"old-mpt", "ggml", "mpt8", "mpt", "Q4_0", 1},
        {"old-replit", "ggml", "rep6", "replit", "F16", 1},
        {"old-ggmm", "ggmm", "ggmm", "mpt", "Q4_0-v1", 1},
        {"old-repl", "repl", "repl", "replit", "Q4_0-v1", 1},
        {"old-bloom", "ggml", "w6", "bloom", "Q4_1-planar", 1},
        {"old-whisper", "ggml", "whisper", "whisper", "F16", 2},
        {"old-parakeet", "ggml", "parakeet", "parakeet", "F32", 1},
        {"old-silero", "ggml", "silero", "silero-vad", "F32", 2},
        {"old-sam", "ggml", "sam6", "sam", "F32", 1},
        {"old-mnist", "ggml", "mnist", "", "F32", 4},
        {"old-rwkv-100", "ggmf 100", "rwkv", "rwkv", "F32", 2},
        {"old-rwkv-turned", "ggmf 100", "rwkv", "rwkv", "F32", 2},
        {"old-rwkv-101", "ggmf 101", "rwkv", "rwkv", "F16", 2},
        {"old-lora", "ggla 1", "lora", "", "F32", 2},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opened o;
        struct ggfs_str arch;
        char format[48], frame[48];
        opened_kind(&o, cases[i].kind, 0);
        arch = ggfs_model_text(o.model, "general.architecture");
        snprintf(format, sizeof format, "%s little-endian", cases[i].format);
        snprintf(frame, sizeof frame, "frame %s,", cases[i].frame);
        ck_assert_str_eq(o.model->format, format);
        ck_assert_msg(noted(&o, frame, GGFS_LEVEL_NOTE), "%s", cases[i].kind);
        ck_assert_msg(!noted(&o, "not sure", GGFS_LEVEL_NOTE), "%s", cases[i].kind);
        ck_assert_msg(ggfs_str_equal(arch, ggfs_str_from(cases[i].arch)), "%s", cases[i].kind);
        ck_assert_uint_eq(o.model->n_tensors, cases[i].tensors);
        if (cases[i].type)
            ck_assert_str_eq(type_of(&o, 0), cases[i].type);
        ck_assert_msg(opened_read_all(&o), "%s", cases[i].kind);
        opened_end(&o);
    }
}
END_TEST

START_TEST(words_and_tokens_are_metadata)
{
    struct opened o;

    opened_kind(&o, "old-whisper", 0);
    opened_expect(&o, "metadata/hparams.n_vocab", "22\n");
    opened_expect(&o, "metadata/hparams.n_mels", "2\n");
    opened_expect(&o, "metadata/hparams.ftype", "1\n");
    opened_expect(&o, "metadata/hparams.mel_filters", "0\n1\n2\n3\n4\n5\n");
    opened_expect(&o, "metadata/whisper.decoder.block_count", "1\n");
    opened_expect(&o, "vocab/tokens/3", "d");
    opened_end(&o);
    opened_kind(&o, "old-both", 0);
    opened_expect(&o, "metadata/hparams.n_mult", "32\n");
    opened_expect(&o, "metadata/llama.attention.head_count", "2\n");
    opened_expect(&o, "metadata/tokenizer.ggml.scores", "-0\n-1\n-2\n-3\n");
    opened_expect(&o, "metadata/tokenizer.ggml.model", "llama\n");
    opened_end(&o);
    opened_kind(&o, "old-silero", 0);
    opened_expect(&o, "metadata/hparams.model_type", "silero-16k\n");
    opened_expect(&o, "metadata/hparams.n_encoder_layers", "1\n");
    opened_expect(&o, "metadata/hparams.word6", "129\n");
    opened_end(&o);
    opened_kind(&o, "old-mpt", 0);
    opened_expect(&o, "metadata/hparams.clip_qkv", "-0\n");
    opened_end(&o);
    opened_kind(&o, "old-ggmm", 0);
    opened_expect(&o, "metadata/hparams.clip_qkv", "6\n");
    opened_expect(&o, "metadata/mpt.embedding_length", "32\n");
    opened_expect(&o, "metadata/tokenizer.ggml.token_type", "1\n3\n1\n1\n");
    opened_end(&o);
    opened_kind(&o, "old-repl", 1);
    ck_assert_str_eq(type_of(&o, 0), "Q4_0");
    opened_expect(&o, "metadata/hparams.n_vocab", "4\n");
    opened_expect(&o, "metadata/tokenizer.ggml.scores", "-0\n-1\n-2\n-3\n");
    opened_end(&o);
}
END_TEST

START_TEST(planar_rows_are_decoded)
{
    struct opened o;
    float values[64];
    char *bytes;
    size_t n;

    opened_kind(&o, "old-planar", 0);
    bytes = opened_text(&o, "views/f32/tok_embeddings.weight.f32", &n);
    ck_assert_uint_eq(n, 64 * 4 * sizeof(float));
    memcpy(values, bytes, sizeof values);
    /* Value i of a row is (i mod 16) - 8 times the scale of its block. */
    for (int i = 0; i < 64; i++)
        ck_assert_float_eq(values[i], (float)(i % 16 - 8) * (i < 32 ? 0.5f : 1.5f));
    free(bytes);
    opened_end(&o);
}
END_TEST

START_TEST(turned_dimensions)
{
    struct opened o;

    opened_kind(&o, "old-rwkv-turned", 0);
    ck_assert(noted(&o, "PyTorch's order", GGFS_LEVEL_NOTE));
    ck_assert_uint_eq(o.model->tensors[1].ne[0], 32);
    ck_assert_uint_eq(o.model->tensors[1].ne[1], 2);
    ck_assert_uint_eq(o.model->tensors[1].faults, 0);
    opened_end(&o);
}
END_TEST

START_TEST(a_second_frame_is_named)
{
    struct opened o;

    opened_kind(&o, "old-both", 0);
    ck_assert(noted(&o, "frame w6 ends in the same place, but it does not fit", GGFS_LEVEL_NOTE));
    opened_end(&o);
}
END_TEST

/* The model of a kind with these options. */
static bool force(struct opened *o, const char *kind, const char *frame, const char *layout)
{
    for (const struct mk_kind *k = mk_legacy_kinds; k->name; k++) {
        struct mk m;
        if (strcmp(k->name, kind) != 0)
            continue;
        k->make(&m, 0);
        opened_file(o, &m);
        mk_free(&m);
        o->frame = frame;
        o->layout = layout;
        return opened_try(o);
    }
    return false;
}

START_TEST(options_overrule)
{
    struct opened o;

    ck_assert(force(&o, "old-both", "w6", NULL));
    ck_assert(noted(&o, "as -o frame says", GGFS_LEVEL_NOTE));
    opened_end(&o);
    ck_assert(force(&o, "old-both", "falcon", NULL));
    opened_expect(&o, "metadata/general.architecture", "falcon\n");
    opened_end(&o);
    ck_assert(force(&o, "old-planar", NULL, "v1"));
    ck_assert_str_eq(type_of(&o, 0), "Q4_0-v1");
    opened_end(&o);
    ck_assert(force(&o, "old-planar", NULL, "planar"));
    ck_assert_str_eq(type_of(&o, 0), "Q4_0-planar");
    opened_end(&o);
    ck_assert(!force(&o, "old-both", "w9", NULL));
    ck_assert_uint_eq(o.err.kind, GGFS_ERR_USAGE);
    opened_end(&o);
    ck_assert(!force(&o, "old-both", NULL, "planar"));
    ck_assert_uint_eq(o.err.kind, GGFS_ERR_USAGE);
    opened_end(&o);
}
END_TEST

START_TEST(rubbish_in_the_third_dimension)
{
    struct opened o;
    struct mk m;

    for (const struct mk_kind *k = mk_legacy_kinds; k->name; k++)
        if (strcmp(k->name, "old-whisper") == 0)
            k->make(&m, 12345);
    opened_file(&o, &m);
    mk_free(&m);
    ck_assert(!opened_try(&o));
    ck_assert_str_eq(o.err.field, "tensor[0].ne[2]");
    ck_assert_ptr_nonnull(strstr(o.err.text, "rubbish"));
    opened_end(&o);
}
END_TEST

/* A file cut anywhere is refused or says that it may be cut, unless it ends behind a record, where
 * nothing shows it. */
static void look_at_cut(const struct mk *m, size_t n, const char *kind)
{
    struct opened o;

    opened_bytes(&o, m->data, n);
    if (opened_try(&o)) {
        const struct ggfs_model *model = o.model;
        const struct ggfs_tensor *last =
            model->n_tensors ? &model->tensors[model->n_tensors - 1] : NULL;
        bool behind = !last || last->offset + last->bytes == n;
        bool doubt = noted(&o, "cut", GGFS_LEVEL_WARNING) ||
                     noted(&o, "not sure", GGFS_LEVEL_WARNING) ||
                     noted(&o, "belong to nothing", GGFS_LEVEL_NOTE);
        ck_assert_msg(behind || doubt, "%s cut to %zu bytes", kind, n);
        ck_assert_msg(opened_read_all(&o), "%s cut to %zu bytes", kind, n);
    } else {
        ck_assert_uint_eq(o.err.kind, GGFS_ERR_FORMAT);
        ck_assert_msg(o.err.offset <= n || o.err.offset == GGFS_NO_OFFSET, "%s cut to %zu", kind,
                      n);
    }
    opened_end(&o);
}

START_TEST(cut_files_do_not_pass)
{
    for (const struct mk_kind *k = mk_legacy_kinds; k->name; k++) {
        struct mk m;
        if (strcmp(k->name, "old-part") == 0)
            continue;
        k->make(&m, 0);
        for (size_t n = 0; n < m.size; n++)
            look_at_cut(&m, n, k->name);
        mk_free(&m);
    }
}
END_TEST

START_TEST(surplus_bytes)
{
    struct opened o;
    struct mk m;

    for (size_t n = 1; n <= 12; n++) {
        mk_legacy_kinds[0].make(&m, 0);
        mk_zeros(&m, n);
        opened_file(&o, &m);
        mk_free(&m);
        ck_assert_int_eq(opened_try(&o), n <= 11);
        if (n <= 11)
            ck_assert(noted(&o, "belong to nothing", GGFS_LEVEL_NOTE));
        opened_end(&o);
    }
}
END_TEST

/* Parts have names, so they need a folder. */
static void write_parts(char folder[32], uint64_t n)
{
    char path[80];

    snprintf(folder, 32, "/tmp/check_legacy.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (uint64_t part = 0; part < n; part++) {
        struct mk m;
        for (const struct mk_kind *k = mk_legacy_kinds; k->name; k++)
            if (strcmp(k->name, "old-part") == 0)
                k->make(&m, part);
        snprintf(path, sizeof path, part ? "%s/m.1" : "%s/m", folder);
        ck_assert(mk_write(&m, path));
        mk_free(&m);
    }
}

static void remove_parts(const char *folder)
{
    char path[80];

    snprintf(path, sizeof path, "%s/m", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/m.1", folder);
    unlink(path);
    rmdir(folder);
}

static void expect_floats(struct opened *o, const char *path, size_t n, float (*want)(size_t i))
{
    size_t got;
    char *bytes = opened_text(o, path, &got);

    ck_assert_uint_eq(got, n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, bytes + 4 * i, sizeof value);
        ck_assert_float_eq(value, want(i));
    }
    free(bytes);
}

static float counting(size_t i)
{
    return (float)i;
}

static float row(size_t i)
{
    return (float)(i / 8);
}

START_TEST(parts_are_joined)
{
    char folder[32];
    struct opened o;

    write_parts(folder, 2);
    opened_bytes(&o, "", 0);
    snprintf(o.path, sizeof o.path, "%s/m", folder);
    if (!opened_try(&o))
        ck_abort_msg("%s", o.err.text);
    ck_assert_uint_eq(o.model->n_sources, 2);
    expect_floats(&o, "tensors/tok_embeddings.weight", 32, counting);
    expect_floats(&o, "views/f32/tok_embeddings.weight.f32", 32, counting);
    expect_floats(&o, "views/f32/layers.0.attention.wq.weight.f32", 64, row);
    ck_assert_uint_eq(o.model->tensors[0].ne[0], 8);
    ck_assert_uint_eq(o.model->tensors[1].ne[1], 8);
    ck_assert_uint_eq(o.model->tensors[2].ne[0], 8);
    ck_assert(opened_read_all(&o));
    opened_end(&o);
    remove_parts(folder);
}
END_TEST

START_TEST(a_part_is_missing)
{
    char folder[32];
    struct opened o;

    write_parts(folder, 1);
    opened_bytes(&o, "", 0);
    snprintf(o.path, sizeof o.path, "%s/m", folder);
    ck_assert(!opened_try(&o));
    ck_assert_uint_eq(o.err.kind, GGFS_ERR_OPEN);
    ck_assert_ptr_nonnull(strstr(o.err.text, "part 1 of 2"));
    opened_end(&o);
    remove_parts(folder);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        each_frame_is_found,     words_and_tokens_are_metadata,
        planar_rows_are_decoded, a_second_frame_is_named,
        options_overrule,        rubbish_in_the_third_dimension,
        cut_files_do_not_pass,   surplus_bytes,
        parts_are_joined,        a_part_is_missing,
        turned_dimensions,
    };

    return suite_run("legacy", tests, COUNT(tests));
}
