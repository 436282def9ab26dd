/* SPDX-License-Identifier: MIT */
/* check_check.c - models with one thing wrong each, and what --check must say of them. */
#include <config.h>

#include "base/mem.h"
#include "check/check.h"
#include "formats/format.h"
#include "kernels/kernels.h"
#include "mkmodel.h"
#include "suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What came out, one `LEVEL CHECK OFFSET TEXT` a line. */
struct findings {
    char lines[1 << 20];
    size_t used, next;
    struct ggfs_check_counts counts;
};

static struct findings findings;

static void collect(void *context, const struct ggfs_finding *finding)
{
    struct findings *f = context;
    size_t room = sizeof f->lines - f->used;
    int n = snprintf(f->lines + f->used, room, "%s %s %" PRId64 " ",
                     ggfs_level_name(finding->level), finding->check, (int64_t)finding->offset);

    ck_assert_int_gt(n, 0);
    ck_assert_uint_lt((size_t)n + finding->text.len + 1, room);
    f->used += (size_t)n;
    memcpy(f->lines + f->used, finding->text.ptr, finding->text.len);
    f->used += finding->text.len;
    f->lines[f->used++] = '\n';
    f->lines[f->used] = '\0';
}

/* The model that m describes, from a file that has no name any more. */
static struct ggfs_model *open_model(struct mk *m)
{
    static char path[PATH_MAX];
    const struct ggfs_open_options options = {0};
    const char *folder = getenv("TMPDIR");
    struct ggfs_model *model;
    struct ggfs_err err;
    int fd;

    snprintf(path, sizeof path, "%s/check_check.XXXXXX", folder ? folder : "/tmp");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert(mk_write(m, path));
    ggfs_err_init(&err, path);
    model = ggfs_formats_open(path, &options, &err);
    unlink(path);
    ck_assert_msg(model != NULL, "%s: %s", err.field, err.text);
    return model;
}

static void check_model(const struct ggfs_model *model, bool deep)
{
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    memset(&findings, 0, sizeof findings);
    ck_assert(ggfs_check_model(model, deep, collect, &findings, &findings.counts, &err));
}

/* Runs all checks over m; the findings are then taken by expect and expect_end. */
static void check_with_the_kernels_there_are(struct mk *m, bool deep)
{
    struct ggfs_model *model = open_model(m);

    check_model(model, deep);
    ggfs_model_free(model);
}

static void check(struct mk *m)
{
    ggfs_kernels_init(NULL);
    check_with_the_kernels_there_are(m, false);
}

static void check_deep(struct mk *m)
{
    ggfs_kernels_init(NULL);
    check_with_the_kernels_there_are(m, true);
}

static void expect(const char *level, const char *name, size_t offset, const char *text)
{
    char line[2048], *found = findings.lines + findings.next, *end = strchr(found, '\n');
    size_t n;

    snprintf(line, sizeof line, "%s %s %" PRId64 " %s", level, name,
             offset == SIZE_MAX ? (int64_t)-1 : (int64_t)offset, text);
    n = strlen(line);
    ck_assert_msg(end && (size_t)(end - found) == n && memcmp(found, line, n) == 0,
                  "expected:\n%s\ngot:\n%s", line, found);
    findings.next += n + 1;
}

static void expect_end(struct mk *m)
{
    const char *rest = findings.lines + findings.next;

    ck_assert_msg(*rest == '\0', "not expected:\n%s", rest);
    mk_free(m);
}

static void start(struct mk *m)
{
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
}

/* A tensor of 8 floats at this offset of the data. */
static void floats_at(struct mk *m, const char *name, uint64_t offset)
{
    mk_tensor(m, name, MK_T_F32, 1, (uint64_t[]){8}, offset);
}

/* The end: one good tensor at offset 0, its data, and the checks. */
static void finish(struct mk *m)
{
    floats_at(m, "w", 0);
    mk_data(m);
    mk_zeros(m, 32);
    check(m);
}

/* Must run before any other test: those choose kernels. */
START_TEST(type_without_decoder_is_a_note)
{
    struct mk m;

    start(&m);
    floats_at(&m, "a", 0);
    floats_at(&m, "b", 32);
    mk_data(&m);
    mk_zeros(&m, 64);
    check_with_the_kernels_there_are(&m, true);
    expect("note", "decoder", m.at.tensor_type - 33,
           "tensor[0].type: no decoder for F32, the type of 2 tensors (tensor \"a\")");
    expect("warning", "values", SIZE_MAX, "there is no value that can be decoded");
    expect_end(&m);
    ck_assert_uint_eq(findings.counts.notes, 1);
}
END_TEST

START_TEST(good_model_has_no_findings)
{
    struct mk m;

    start(&m);
    finish(&m);
    expect_end(&m);
    ck_assert_uint_eq(findings.counts.errors + findings.counts.warnings + findings.counts.notes, 0);
}
END_TEST

START_TEST(nothing_to_check_is_a_warning)
{
    struct mk m;

    mk_start(&m, 3, false);
    check(&m);
    expect("note", "keys", SIZE_MAX, "there is no general.architecture");
    expect("warning", "tensors", SIZE_MAX, "there are no tensors");
    expect_end(&m);
    ck_assert_uint_eq(findings.counts.warnings, 1);
    ck_assert_uint_eq(findings.counts.notes, 1);
}
END_TEST

START_TEST(keys_have_their_types)
{
    struct mk m;
    size_t arch, name;

    mk_start(&m, 3, false);
    mk_key_int(&m, "general.architecture", MK_U8, 1);
    arch = m.at.type;
    mk_key_strs(&m, "general.name", NULL, 0);
    name = m.at.type;
    mk_key_int(&m, "general.alignment", MK_I32, 32);
    finish(&m);
    expect("warning", "keys", arch, "kv[0].type: u8, must be str (key \"general.architecture\")");
    expect("warning", "keys", m.at.type,
           "kv[2].type: i32, must be u32 (key \"general.alignment\")");
    expect("warning", "keys", name, "kv[1].type: arr, must be str (key \"general.name\")");
    expect_end(&m);
}
END_TEST

START_TEST(empty_architecture_is_a_note)
{
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_str(&m, "general.architecture", "");
    finish(&m);
    expect("note", "keys", m.at.type + 4,
           "kv[0].value: the architecture is empty (key \"general.architecture\")");
    expect_end(&m);
}
END_TEST

START_TEST(repeated_names)
{
    struct mk m;
    size_t second, third;
    char text[256];

    start(&m);
    mk_key_int(&m, "a", MK_U8, 1);
    mk_key_int(&m, "b", MK_U8, 1);
    mk_key_int(&m, "a", MK_U8, 2);
    second = m.at.key_bytes;
    mk_key_int(&m, "a", MK_U8, 2);
    third = m.at.key_bytes;
    floats_at(&m, "w", 32);
    finish(&m);
    expect("warning", "duplicate", second,
           "kv[3].key.bytes: the same key as kv[1], which counts (key \"a\")");
    expect("warning", "duplicate", third,
           "kv[4].key.bytes: the same key as kv[1], which counts (key \"a\")");
    expect("warning", "duplicate", m.at.name_bytes,
           "tensor[1].name.bytes: the same name as tensor[0] (tensor \"w\")");
    snprintf(text, sizeof text,
             "the file has %zu bytes, but its tensors end at %zu: it was cut, or they are wrong",
             m.size, m.size + 32);
    expect("error", "end", m.size, text);
    snprintf(text, sizeof text,
             "tensor[0].offset: begins at or past the end of the file: at %zu, the file has %zu "
             "bytes (tensor \"w\")",
             m.size, m.size);
    expect("error", "room", m.at.offset - 33, text);
    expect_end(&m);
}
END_TEST

START_TEST(odd_names)
{
    static const char name[64] = "0123456789012345678901234567890123456789012345678901234567890123";
    struct mk m;
    size_t empty;

    start(&m);
    mk_tensor_n(&m, name, sizeof name, MK_T_F32, 0, NULL, 0);
    empty = m.at.name_length;
    mk_tensor(&m, "", MK_T_F32, 0, NULL, 32);
    mk_data(&m);
    mk_zeros(&m, 64);
    check(&m);
    expect("note", "name", empty,
           "tensor[0].name.length: 64 bytes, ggml takes at most 63 (tensor "
           "\"0123456789012345678901234567890123456789012345678901234567890123\")");
    expect("note", "name", m.at.name_length,
           "tensor[1].name.length: the name is empty (tensor \"\")");
    expect_end(&m);
}
END_TEST

/* Is this literal somewhere in the findings, NUL or not? */
#define HOLDS(bytes) (memmem(findings.lines, findings.used, bytes, sizeof(bytes) - 1) != NULL)

START_TEST(names_are_cut_and_keep_nul)
{
    static const char name[70] = "a\0b\n";
    struct mk m;

    start(&m);
    mk_tensor_n(&m, name, sizeof name, MK_T_F32, 0, NULL, 4);
    mk_data(&m);
    mk_zeros(&m, 32);
    check(&m);
    ck_assert(HOLDS("(tensor \"a\0b\n\0"));
    ck_assert(HOLDS("\0…\")"));
    mk_free(&m);
}
END_TEST

START_TEST(sizes_and_types)
{
    static const struct {
        uint32_t type;
        uint64_t row;
        const char *level, *check, *text;
    } cases[] = {
        {MK_T_Q4_0, 33, "error", "size",
         "tensor[0].dims[0]: a row is not a whole number of blocks: 33 values, blocks of 32"},
        {MK_T_I64, UINT64_C(1) << 61, "error", "size",
         "tensor[0].dims[0]: more values or bytes than 63 bits can count: "
         "2305843009213693952 x 1 x 1 x 1"},
        {137, 8, "warning", "type", "tensor[0].type: a type number that ggfs does not know: 137"},
        {5, 16, "warning", "type",
         "tensor[0].type: a type number that never stood in such files: 5"},
        {31, 64, "error", "size",
         "tensor[0].dims[0]: the rows are not a whole number of interleaved groups: "
         "64 x 1 x 1 x 1"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mk m;
        char text[256];
        start(&m);
        mk_tensor(&m, "w", cases[i].type, 1, &cases[i].row, 0);
        mk_data(&m);
        mk_zeros(&m, 64);
        check(&m);
        snprintf(text, sizeof text, "%s (tensor \"w\")", cases[i].text);
        expect(cases[i].level, cases[i].check,
               strcmp(cases[i].check, "size") == 0 ? m.at.dims : m.at.tensor_type, text);
        if (cases[i].type == 31)
            expect("warning", "type", m.at.tensor_type,
                   "tensor[0].type: a type that ggml has removed: 31 (tensor \"w\")");
        expect_end(&m);
    }
}
END_TEST

START_TEST(numbers_with_two_meanings)
{
    struct mk m;
    size_t first;

    start(&m);
    mk_tensor(&m, "a", MK_T_Q4_K, 1, (uint64_t[]){2048}, 0);
    first = m.at.tensor_type;
    mk_tensor(&m, "b", 42, 1, (uint64_t[]){8192}, 1216);
    mk_data(&m);
    mk_zeros(&m, 1216 + 2176);
    check(&m);
    expect("warning", "layout", first,
           "tensor[0].type: has the size of blocks of 64 values, which builds with QK_K = 64 wrote "
           "under this type number: 12 (tensor \"a\")");
    expect("warning", "layout", m.at.tensor_type,
           "tensor[1].type: has the size of blocks of 128 values in 34 bytes, another program's "
           "for this type number: 42 (tensor \"b\")");
    expect_end(&m);
}
END_TEST

START_TEST(alignment_and_room)
{
    struct mk m;
    size_t first;
    char text[128];

    start(&m);
    floats_at(&m, "a", 4);
    first = m.at.offset;
    mk_tensor(&m, "b", MK_T_F32, 1, (uint64_t[]){9}, 64);
    mk_data(&m);
    mk_zeros(&m, 96);
    check(&m);
    snprintf(text, sizeof text,
             "the file has %zu bytes, but its tensors end at %zu: it was cut, or they are wrong",
             m.size, m.size + 4);
    expect("error", "end", m.size, text);
    expect("warning", "alignment", first,
           "tensor[0].offset: not at a multiple of the alignment: 4 is none of 32 (tensor \"a\")");
    expect("error", "room", m.at.offset,
           "tensor[1].offset: needs more bytes than there are before the next tensor or the end of "
           "the file: 36, there are 32 (tensor \"b\")");
    expect("note", "gap", first,
           "tensor[0].offset: the 4 bytes before it belong to no tensor (tensor \"a\")");
    expect_end(&m);
}
END_TEST

START_TEST(overlaps)
{
    struct mk m;
    size_t big, same, inside;

    start(&m);
    mk_tensor(&m, "big", MK_T_F32, 1, (uint64_t[]){32}, 0);
    big = m.at.offset;
    floats_at(&m, "inside", 32);
    inside = m.at.offset;
    mk_tensor(&m, "same", MK_T_F32, 1, (uint64_t[]){32}, 0);
    same = m.at.offset;
    mk_tensor(&m, "across", MK_T_F32, 1, (uint64_t[]){16}, 96);
    mk_data(&m);
    mk_zeros(&m, 160);
    check(&m);
    expect("error", "room", big,
           "tensor[0].offset: needs more bytes than there are before the next tensor or the end of "
           "the file: 128, there are 32 (tensor \"big\")");
    expect("error", "room", same,
           "tensor[2].offset: needs more bytes than there are before the next tensor or the end of "
           "the file: 128, there are 32 (tensor \"same\")");
    expect("warning", "overlap", same,
           "tensor[2].offset: all its bytes are those of tensor[0] (tensor \"same\")");
    expect("warning", "overlap", inside,
           "tensor[1].offset: its first 32 bytes are also those of tensor[0] (tensor \"inside\")");
    expect("warning", "overlap", m.at.offset,
           "tensor[3].offset: its first 32 bytes are also those of tensor[0] (tensor \"across\")");
    expect_end(&m);
}
END_TEST

/* Linear in output, and no time to speak of. */
START_TEST(thousands_over_the_same_bytes)
{
    enum { N = 5000 };
    struct mk m;

    start(&m);
    for (unsigned i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        floats_at(&m, name, 0);
    }
    mk_data(&m);
    mk_zeros(&m, 32);
    check(&m);
    ck_assert_uint_eq(findings.counts.warnings, N - 1);
    ck_assert_uint_eq(findings.counts.errors + findings.counts.notes, 0);
    mk_free(&m);
}
END_TEST

START_TEST(gaps_and_the_end)
{
    static const struct {
        size_t tail;
        const char *text;
    } ends[] = {
        {16, "16 bytes of padding are missing behind the last tensor"},
        {16 + 32, "16 bytes behind the last tensor belong to none"},
    };

    for (size_t i = 0; i < COUNT(ends); i++) {
        struct mk m;
        size_t gap;
        start(&m);
        floats_at(&m, "a", 0);
        mk_tensor(&m, "b", MK_T_F32, 1, (uint64_t[]){4}, 96);
        gap = m.at.offset;
        mk_data(&m);
        mk_zeros(&m, 96 + ends[i].tail);
        check(&m);
        expect("note", "gap", gap,
               "tensor[1].offset: the 64 bytes before it belong to no tensor (tensor \"b\")");
        expect("note", "padding", m.data_at + (i ? 128 : 112), ends[i].text);
        expect_end(&m);
    }
}
END_TEST

START_TEST(empty_tensors_lie_nowhere)
{
    struct mk m;
    size_t dims;

    start(&m);
    mk_tensor(&m, "none", MK_T_F32, 1, (uint64_t[]){0}, 0);
    dims = m.at.dims;
    finish(&m);
    expect("note", "dims", dims,
           "tensor[0].dims[0]: no values; tensors like this one: 1 (tensor \"none\")");
    expect_end(&m);
}
END_TEST

static void ints(struct mk *m, const char *name, size_t n)
{
    mk_key_array(m, name, MK_I32, n);
    for (size_t i = 0; i < n; i++)
        mk_u32(m, 1);
}

START_TEST(token_arrays_agree)
{
    static const char *const tokens[] = {"a", "b", "a", "c", "b", "a"};
    struct mk m;
    size_t scores, types, merges, at;

    start(&m);
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    at = m.at.elems;
    ints(&m, "tokenizer.ggml.scores", 6);
    scores = m.at.type;
    ints(&m, "tokenizer.ggml.token_type", 5);
    types = m.at.type;
    mk_key_int(&m, "tokenizer.ggml.merges", MK_BOOL, 1);
    merges = m.at.type;
    finish(&m);
    expect("warning", "vocabulary", scores + 4,
           "kv[2].elem_type: an array of i32, must be one of floats "
           "(key \"tokenizer.ggml.scores\")");
    expect("warning", "vocabulary", types + 8,
           "kv[3].count: 5 elements, but the number of tokens is 6 (key "
           "\"tokenizer.ggml.token_type\")");
    expect("warning", "vocabulary", merges,
           "kv[4].type: bool, must be an array of strings (key \"tokenizer.ggml.merges\")");
    expect("note", "vocabulary", at + 2 * 9 + 8,
           "kv[1][2]: tokens that repeat an earlier one: 3 of 6 (key \"tokenizer.ggml.tokens\")");
    expect_end(&m);
}
END_TEST

START_TEST(special_tokens_exist)
{
    static const char *const tokens[] = {"a", "b", "c"};
    struct mk m;
    size_t eos, pad, unknown;

    start(&m);
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    mk_key_int(&m, "tokenizer.ggml.bos_token_id", MK_U32, 2);
    mk_key_int(&m, "tokenizer.ggml.eos_token_id", MK_U32, 3);
    eos = m.at.type;
    mk_key_int(&m, "tokenizer.ggml.padding_token_id", MK_I32, -1);
    pad = m.at.type;
    mk_key_str(&m, "tokenizer.ggml.unknown_token_id", "0");
    unknown = m.at.type;
    finish(&m);
    expect("warning", "vocabulary", eos + 4,
           "kv[3].value: token 3, but the number of tokens is 3 (key "
           "\"tokenizer.ggml.eos_token_id\")");
    expect("warning", "vocabulary", pad + 4,
           "kv[4].value: a negative token id (key \"tokenizer.ggml.padding_token_id\")");
    expect("warning", "vocabulary", unknown,
           "kv[5].type: str, must be an integer (key \"tokenizer.ggml.unknown_token_id\")");
    expect_end(&m);
}
END_TEST

START_TEST(tokens_that_are_none)
{
    struct mk m;

    start(&m);
    mk_key_str(&m, "tokenizer.ggml.tokens", "abc");
    mk_key_int(&m, "tokenizer.ggml.eos_token_id", MK_U32, 3);
    finish(&m);
    ck_assert_ptr_nonnull(strstr(findings.lines, "kv[1].type: str, must be an array of strings"));
    ck_assert_uint_eq(findings.counts.warnings, 1);
    mk_free(&m);
}
END_TEST

START_TEST(odd_elements)
{
    static const char *const tokens[] = {"a", "", "c", ""};
    static const char *const merges[] = {"a b", " b", "a ", "ab", "  b"};
    struct mk m;
    size_t at[4];

    start(&m);
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    at[0] = m.at.elems + 9 + 8;
    mk_key_array(&m, "tokenizer.ggml.scores", MK_F64, 4);
    mk_f64(&m, 0);
    mk_f64(&m, 1);
    mk_f64(&m, -1);
    at[1] = m.size;
    mk_u64(&m, UINT64_MAX);
    mk_key_array(&m, "tokenizer.ggml.token_type", MK_I8, 4);
    mk_u8(&m, 1);
    mk_u8(&m, 6);
    at[2] = m.size;
    mk_u8(&m, 0);
    mk_u8(&m, 255);
    mk_key_strs(&m, "tokenizer.ggml.merges", merges, COUNT(merges));
    at[3] = m.at.elems + 11 + 8;
    finish(&m);
    expect("note", "vocabulary", at[0],
           "kv[1][1]: empty tokens: 2 of 4 (key \"tokenizer.ggml.tokens\")");
    expect("note", "vocabulary", at[1],
           "kv[2][3]: scores that are NaN: 1 of 4 (key \"tokenizer.ggml.scores\")");
    expect("note", "vocabulary", at[2],
           "kv[3][2]: token types that are not 1 to 6: 2 of 4 (key \"tokenizer.ggml.token_type\")");
    expect("note", "vocabulary", at[3],
           "kv[4][1]: merges that are not two tokens: 3 of 5 (key \"tokenizer.ggml.merges\")");
    expect("note", "vocabulary", at[0] + 1 + 8 + 8,
           "kv[1][3]: tokens that repeat an earlier one: 1 of 4 (key \"tokenizer.ggml.tokens\")");
    expect_end(&m);
}
END_TEST

START_TEST(tokenizers_have_what_they_need)
{
    struct mk m;

    start(&m);
    mk_key_str(&m, "tokenizer.ggml.model", "llama");
    finish(&m);
    expect("warning", "vocabulary", m.at.value,
           "kv[1].value: a tokenizer, but there is no tokenizer.ggml.tokens "
           "(key \"tokenizer.ggml.model\")");
    expect_end(&m);

    start(&m);
    mk_key_strs(&m, "tokenizer.ggml.tokens", (const char *const[]){"a"}, 1);
    mk_key_str(&m, "tokenizer.ggml.model", "gpt2");
    finish(&m);
    expect("warning", "vocabulary", m.at.value,
           "kv[2].value: gpt2, but there is no tokenizer.ggml.merges "
           "(key \"tokenizer.ggml.model\")");
    expect_end(&m);

    start(&m);
    mk_key_str(&m, "tokenizer.ggml.model", "no_vocab");
    finish(&m);
    expect_end(&m);
}
END_TEST

START_TEST(embedding_and_vocabulary_agree)
{
    static const char *const tokens[] = {"a", "b", "c"};
    struct mk m;
    size_t length, vocabulary;

    start(&m);
    mk_key_int(&m, "llama.embedding_length", MK_U32, 8);
    length = m.at.value;
    mk_key_int(&m, "llama.vocab_size", MK_U32, 4);
    vocabulary = m.at.value;
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    mk_tensor_next(&m, "token_embd.weight", MK_T_F32, 2, (uint64_t[]){4, 2}, 32);
    mk_data(&m);
    mk_zeros(&m, 32);
    check(&m);
    expect("warning", "embedding", length,
           "kv[1].value: 8, but a row of token_embd.weight has 4 values "
           "(key \"llama.embedding_length\")");
    expect("note", "embedding", vocabulary,
           "kv[2].value: 4, but the number of tokens is 3 (key \"llama.vocab_size\")");
    expect("warning", "embedding", m.at.count,
           "kv[3].count: 3 tokens, but token_embd.weight has rows for 2 "
           "(key \"tokenizer.ggml.tokens\")");
    expect_end(&m);
}
END_TEST

/* Checks a model of that many blocks with a tensor for each of the names. */
static size_t check_blocks(struct mk *m, const char *type, const char *const *names, size_t n)
{
    size_t value;

    start(m);
    mk_key_int(m, "llama.block_count", MK_U32, 3);
    value = m->at.value;
    if (type)
        mk_key_str(m, "general.type", type);
    for (size_t i = 0; i < n; i++)
        mk_tensor_next(m, names[i], MK_T_F32, 1, (uint64_t[]){8}, 32);
    mk_data(m);
    mk_zeros(m, n * 32);
    check(m);
    return value;
}

START_TEST(blocks_are_all_there)
{
    static const char *const all[] = {"blk.2.a", "blk.0.a", "blk.0.b", "blk.1.a", "x"};
    static const char *const some[] = {"blk.0.a", "blk.2", "blk.x.a", "blk.99999999999.a",
                                       "blk.3.b"};
    static const char *const other[] = {"enc.blk.0.a"};
    struct mk m;
    size_t value;

    check_blocks(&m, NULL, all, COUNT(all));
    expect_end(&m);
    value = check_blocks(&m, NULL, some, COUNT(some));
    expect("warning", "blocks", value,
           "kv[1].value: 3 blocks, but there is no tensor of blk.1 (key \"llama.block_count\")");
    expect("warning", "blocks", value,
           "kv[1].value: 3 blocks, but there are tensors of blk.3 (key \"llama.block_count\")");
    expect_end(&m);
    check_blocks(&m, "adapter", some, COUNT(some));
    expect_end(&m);
    check_blocks(&m, "model", other, COUNT(other));
    expect_end(&m);
}
END_TEST

START_TEST(odd_values_of_keys)
{
    struct mk m;
    size_t boolean, bools, nested;

    start(&m);
    mk_key_int(&m, "a", MK_BOOL, 2);
    boolean = m.at.value;
    mk_key_array(&m, "b", MK_BOOL, 3);
    bools = m.at.elem;
    mk_u8(&m, 0);
    mk_u8(&m, 255);
    mk_u8(&m, 1);
    mk_key_array(&m, "c", MK_ARR, 1);
    nested = m.at.elem;
    mk_array(&m, MK_U8, 0);
    finish(&m);
    expect("note", "keys", boolean,
           "kv[1].value: bytes of a bool that are neither 0 nor 1: 1 (key \"a\")");
    expect("note", "keys", bools,
           "kv[2].value: bytes of a bool that are neither 0 nor 1: 1 (key \"b\")");
    expect("note", "keys", nested,
           "kv[3].elem_type: an array of arrays, which ggml refuses (key \"c\")");
    expect_end(&m);
}
END_TEST

START_TEST(odd_bytes_in_names)
{
    struct mk m;
    size_t key, tensor;

    start(&m);
    mk_key_int(&m, "a\xc3(", MK_U8, 0);
    key = m.at.key_bytes + 1;
    floats_at(&m, "\xc3\xa4\n", 32);
    tensor = m.at.name_bytes + 2;
    floats_at(&m, "w", 0);
    mk_data(&m);
    mk_zeros(&m, 64);
    check(&m);
    expect("note", "name", key, "kv[1].key.bytes: not valid UTF-8 (key \"a\xc3(\")");
    ck_assert_ptr_nonnull(strstr(findings.lines + findings.next, "note name"));
    ck_assert_ptr_nonnull(
        strstr(findings.lines + findings.next, "tensor[0].name.bytes: holds a control character"));
    ck_assert_uint_eq(findings.counts.notes, 2);
    ck_assert_uint_gt(tensor, 0);
    mk_free(&m);
}
END_TEST

START_TEST(last_dimensions_of_one)
{
    struct mk m;
    size_t second;

    start(&m);
    mk_tensor_next(&m, "a", MK_T_F32, 1, (uint64_t[]){1}, 4);
    mk_tensor_next(&m, "b", MK_T_F32, 3, (uint64_t[]){2, 1, 1}, 8);
    second = m.at.dims + 16;
    mk_tensor_next(&m, "c", MK_T_F32, 2, (uint64_t[]){2, 1}, 8);
    mk_tensor_next(&m, "d", MK_T_F32, 2, (uint64_t[]){1, 2}, 8);
    mk_data(&m);
    mk_zeros(&m, 128);
    check(&m);
    expect("note", "dims", second,
           "tensor[1].dims[2]: a last dimension of 1, which ggml does not keep; tensors like this "
           "one: 2 (tensor \"b\")");
    expect_end(&m);
}
END_TEST

START_TEST(notes_of_the_model_are_told)
{
    const struct ggfs_note one = {.check = "split", .offset = GGFS_NO_OFFSET};
    const struct ggfs_note two = {.check = "split", .offset = 12, .level = GGFS_LEVEL_ERROR};
    struct ggfs_check_counts counts;
    struct ggfs_model *model;
    struct ggfs_err err;
    struct mk m;

    start(&m);
    mk_data(&m);
    model = open_model(&m);
    ggfs_err_init(&err, NULL);
    memset(&findings, 0, sizeof findings);
    ck_assert(ggfs_model_note(model, &one, &err, "%s", "one"));
    ck_assert(ggfs_model_note(model, &two, &err, "number %d", 2));
    ck_assert(ggfs_check_model(model, false, collect, &findings, &counts, &err));
    expect("note", "split", SIZE_MAX, "one");
    expect("error", "split", 12, "number 2");
    ck_assert_uint_eq(counts.notes, 1);
    ck_assert_uint_eq(counts.errors, 1);
    ggfs_model_free(model);
    mk_free(&m);
}
END_TEST

/* A woven tensor: its blocks are not in the order of their values. */
static void put_woven(struct mk *m)
{
    for (unsigned i = 0; i < 4; i++)
        mk_u16(m, i == 2 ? 0x7e00 : 0x3c00);
    for (unsigned i = 0; i < 64; i++)
        mk_u8(m, 0x11);
}

START_TEST(values_are_looked_at)
{
    struct mk m;
    size_t f32, q8, woven, zero;

    start(&m);
    mk_tensor_next(&m, "f32", MK_T_F32, 1, (uint64_t[]){600}, 2400);
    mk_tensor_next(&m, "q8", MK_T_Q8_0, 2, (uint64_t[]){32, 4}, 136);
    mk_tensor_next(&m, "woven", 31, 2, (uint64_t[]){32, 4}, 72);
    woven = m.at.tensor_type;
    mk_tensor_next(&m, "zero", MK_T_BF16, 1, (uint64_t[]){16}, 32);
    mk_tensor_next(&m, "good", MK_T_F32, 1, (uint64_t[]){300}, 1200);
    mk_data(&m);
    f32 = m.size;
    mk_f32(&m, 1);
    mk_zeros(&m, 2392);
    mk_u32(&m, 0xff800000);
    q8 = f32 + 2400;
    mk_blocks(&m, MK_T_Q8_0, 1);
    mk_u16(&m, 0);
    for (unsigned i = 0; i < 32; i++)
        mk_u8(&m, 0xff);
    mk_u16(&m, 0xfc00);
    mk_u8(&m, 0);
    for (unsigned i = 0; i < 31; i++)
        mk_u8(&m, 1);
    mk_blocks(&m, MK_T_Q8_0, 1);
    mk_data_to(&m, 2400 + 160);
    put_woven(&m);
    mk_data_to(&m, 2400 + 160 + 96);
    zero = m.size;
    mk_zeros(&m, 32);
    mk_blocks(&m, MK_T_F32, 300);
    mk_zeros(&m, 16);
    check_deep(&m);
    expect("warning", "type", woven,
           "tensor[2].type: a type that ggml has removed: 31 (tensor \"woven\")");
    expect("warning", "values", f32 + 2396,
           "tensor[0].data: 0 NaN and 1 infinite values of 600, the first of them is value 599 "
           "(tensor \"f32\")");
    expect("note", "values", f32 + 1024,
           "tensor[0].data: 1 of 3 blocks of 256 values hold zeros only, the first of them begins "
           "at value 256 (tensor \"f32\")");
    expect("warning", "values", q8 + 68,
           "tensor[1].data: 1 NaN and 31 infinite values of 128, the first of them is value 64 "
           "(tensor \"q8\")");
    expect("note", "values", q8 + 34,
           "tensor[1].data: 1 of 4 blocks of 32 values hold zeros only, the first of them begins "
           "at value 32 (tensor \"q8\")");
    expect("warning", "values", q8 + 160,
           "tensor[2].data: 32 NaN and 0 infinite values of 128, the first of them is value 64 "
           "(tensor \"woven\")");
    expect("note", "values", zero, "tensor[3].data: all 16 values are zero (tensor \"zero\")");
    expect_end(&m);
}
END_TEST

/* Nothing divides by what they have none of. */
START_TEST(empty_tensors_are_looked_at)
{
    static const uint32_t types[] = {MK_T_F32, MK_T_Q8_0, MK_T_Q4_K, 31, 33};

    for (size_t i = 0; i < COUNT(types); i++) {
        struct mk m;
        start(&m);
        mk_tensor(&m, "none", types[i], 2, (uint64_t[]){0, 8}, 0);
        mk_tensor(&m, "none either", types[i], 2, (uint64_t[]){256, 0}, 0);
        floats_at(&m, "w", 0);
        mk_data(&m);
        mk_blocks(&m, MK_T_F32, 8);
        check_deep(&m);
        ck_assert_ptr_null(strstr(findings.lines, "].data"));
        ck_assert_uint_eq(findings.counts.notes, 1);
        mk_free(&m);
    }
}
END_TEST

/* A few kilobytes that name the same bytes a thousand times. */
START_TEST(a_place_is_decoded_once)
{
    struct mk m;

    start(&m);
    for (unsigned i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        floats_at(&m, name, 0);
    }
    mk_data(&m);
    mk_zeros(&m, 32);
    check_deep(&m);
    ck_assert_uint_eq(findings.counts.warnings, 999);
    ck_assert_uint_eq(findings.counts.notes, 1);
    mk_free(&m);
}
END_TEST

/* Longer than what is decoded at a time. */
START_TEST(pieces_fit_together)
{
    enum { N = 100000 };
    struct mk m;
    size_t data;

    start(&m);
    mk_tensor_next(&m, "long", MK_T_F16, 1, (uint64_t[]){N}, N * 2);
    mk_data(&m);
    data = m.size;
    for (unsigned i = 0; i < N; i++)
        mk_u16(&m, i % 1000 == 999 ? 0x7c00 : i / 256 == 301 ? 0 : 0x3c00);
    check_deep(&m);
    expect("warning", "values", data + 2 * 999,
           "tensor[0].data: 0 NaN and 100 infinite values of 100000, the first of them is value "
           "999 (tensor \"long\")");
    expect("note", "values", data + 2 * 256 * 301,
           "tensor[0].data: 1 of 391 blocks of 256 values hold zeros only, the first of them "
           "begins at value 77056 (tensor \"long\")");
    expect_end(&m);
}
END_TEST

/* The file is cut after it was opened: the first tensor in the middle, the second is gone, and so
 * is the third, which nothing could decode anyway. */
START_TEST(what_cannot_be_read_is_an_error)
{
    struct mk m;
    struct ggfs_model *model;
    char path[64];
    size_t cut;

    start(&m);
    mk_tensor_next(&m, "a", MK_T_F32, 1, (uint64_t[]){8}, 32);
    mk_tensor_next(&m, "b", MK_T_Q8_0, 1, (uint64_t[]){32}, 34);
    mk_tensor_next(&m, "c", 99, 1, (uint64_t[]){32}, 64);
    mk_data(&m);
    cut = m.size + 16;
    mk_blocks(&m, MK_T_F32, 8);
    mk_blocks(&m, MK_T_Q8_0, 1);
    mk_zeros(&m, 30 + 64);
    model = open_model(&m);
    snprintf(path, sizeof path, "/proc/self/fd/%d", model->sources[0].fd);
    ck_assert_int_eq(truncate(path, (off_t)cut), 0);
    ggfs_kernels_init(NULL);
    check_model(model, true);
    ggfs_model_free(model);
    expect("warning", "type", m.at.tensor_type,
           "tensor[2].type: a type number that ggfs does not know: 99 (tensor \"c\")");
    expect("error", "values", cut,
           "tensor[0].data: the file ends before these bytes (tensor \"a\")");
    expect("error", "values", cut + 16,
           "tensor[1].data: the file ends before these bytes (tensor \"b\")");
    expect("error", "values", cut + 16 + 64,
           "tensor[2].data: the file ends before these bytes (tensor \"c\")");
    expect_end(&m);
}
END_TEST

/* The descriptor turns into one of a directory, whose reads fail. Every tensor is tried. */
START_TEST(reads_that_fail_are_errors)
{
    struct mk m;
    struct ggfs_model *model;
    int folder;

    start(&m);
    mk_tensor_next(&m, "a", MK_T_F32, 1, (uint64_t[]){8}, 32);
    mk_tensor_next(&m, "b", MK_T_Q8_0, 1, (uint64_t[]){32}, 34);
    mk_data(&m);
    mk_zeros(&m, 96);
    model = open_model(&m);
    folder = open("/", O_RDONLY);
    ck_assert_int_ge(folder, 0);
    ck_assert_int_eq(dup2(folder, model->sources[0].fd), model->sources[0].fd);
    close(folder);
    ggfs_kernels_init(NULL);
    check_model(model, true);
    ggfs_model_free(model);
    expect("error", "values", m.data_at, "tensor[0].data: cannot be read: Is a directory");
    expect("error", "values", m.data_at + 32, "tensor[1].data: cannot be read: Is a directory");
    expect("warning", "values", SIZE_MAX, "there is no value that can be decoded");
    expect_end(&m);
}
END_TEST

START_TEST(no_memory_is_an_error)
{
    static const char *const tokens[] = {"a", "b"};
    struct ggfs_model *model;
    struct ggfs_err err;
    struct mk m;
    uint64_t nth = 0;
    bool ok;

    start(&m);
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    floats_at(&m, "w", 0);
    mk_data(&m);
    mk_zeros(&m, 32);
    model = open_model(&m);
    do {
        ggfs_err_init(&err, NULL);
        ggfs_mem_fail_at(++nth);
        ok = ggfs_check_model(model, true, collect, &findings, &findings.counts, &err);
        ck_assert(ok == (err.kind == GGFS_ERR_NONE));
        ck_assert(ok || err.kind == GGFS_ERR_MEMORY);
    } while (!ok);
    ggfs_mem_fail_at(0);
    ck_assert_uint_gt(nth, 3);
    ggfs_model_free(model);
    mk_free(&m);
}
END_TEST

START_TEST(every_check_has_a_name_of_its_own)
{
    for (size_t i = 0; ggfs_checks[i].name; i++) {
        ck_assert_uint_gt(strlen(ggfs_checks[i].what), 0);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(ggfs_checks[i].name, ggfs_checks[j].name);
    }
}
END_TEST

/* A fault whose check no row names would never be told. */
START_TEST(every_fault_has_its_check)
{
    for (size_t fault = 0; fault < GGFS_FAULT_COUNT; fault++) {
        size_t i = 0;
        while (ggfs_checks[i].name && strcmp(ggfs_checks[i].name, ggfs_faults[fault].name) != 0)
            i++;
        ck_assert_msg(ggfs_checks[i].name != NULL, "no check %s", ggfs_faults[fault].name);
    }
}
END_TEST

/* The manual lists them under the same names in the same order, behind what is no row here. */
START_TEST(the_manual_lists_every_check)
{
    const char *top = getenv("top_srcdir");
    char path[PATH_MAX], line[256], name[64];
    const struct ggfs_check *check = ggfs_checks;
    bool inside = false;
    FILE *manual;

    snprintf(path, sizeof path, "%s/docs/ggfs.1", top ? top : ".");
    manual = fopen(path, "r");
    ck_assert_msg(manual != NULL, "%s: cannot be opened; set top_srcdir", path);
    while (fgets(line, sizeof line, manual)) {
        if (strncmp(line, ".Sh ", 4) == 0)
            inside = strcmp(line, ".Sh CHECKING\n") == 0;
        if (!inside || sscanf(line, ".It Cm %63s", name) != 1 || strcmp(name, "format") == 0)
            continue;
        ck_assert_msg(check->name && strcmp(check->name, name) == 0, "the manual has %s, not %s",
                      name, check->name ? check->name : "the end");
        check++;
    }
    fclose(manual);
    ck_assert_msg(check->name == NULL, "the manual lacks %s", check->name);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        type_without_decoder_is_a_note,
        good_model_has_no_findings,
        nothing_to_check_is_a_warning,
        keys_have_their_types,
        empty_architecture_is_a_note,
        repeated_names,
        odd_names,
        names_are_cut_and_keep_nul,
        sizes_and_types,
        numbers_with_two_meanings,
        alignment_and_room,
        overlaps,
        thousands_over_the_same_bytes,
        gaps_and_the_end,
        empty_tensors_lie_nowhere,
        token_arrays_agree,
        special_tokens_exist,
        tokens_that_are_none,
        odd_elements,
        tokenizers_have_what_they_need,
        embedding_and_vocabulary_agree,
        blocks_are_all_there,
        odd_values_of_keys,
        odd_bytes_in_names,
        last_dimensions_of_one,
        notes_of_the_model_are_told,
        values_are_looked_at,
        empty_tensors_are_looked_at,
        a_place_is_decoded_once,
        pieces_fit_together,
        what_cannot_be_read_is_an_error,
        reads_that_fail_are_errors,
        no_memory_is_an_error,
        every_check_has_a_name_of_its_own,
        every_fault_has_its_check,
        the_manual_lists_every_check,
    };

    return suite_run("check", tests, COUNT(tests));
}
