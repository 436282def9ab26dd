/* SPDX-License-Identifier: MIT */
/* models_good.c - models that mount: the sample, large ones, and the borders of what is allowed. */
#include <config.h>

#include "models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct tensor {
    const char *name;
    uint32_t type;
    uint32_t n_dims;
    uint64_t dims[4];
};

static uint64_t values_of(const struct tensor *t)
{
    uint64_t values = 1;

    for (uint32_t i = 0; i < t->n_dims; i++)
        values *= t->dims[i];
    return values;
}

static uint64_t bytes_of(const struct tensor *t)
{
    return values_of(t) / mk_block_values(t->type) * mk_block_bytes(t->type);
}

static void put_tensors(struct mk *m, const struct tensor *tensors, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mk_tensor_next(m, tensors[i].name, tensors[i].type, tensors[i].n_dims, tensors[i].dims,
                       bytes_of(&tensors[i]));
    mk_data(m);
    for (size_t i = 0; i < n; i++) {
        uint64_t over = (m->size - m->data_at) % m->alignment;
        if (over)
            mk_zeros(m, (size_t)(m->alignment - over));
        mk_blocks(m, tensors[i].type,
                  (size_t)(values_of(&tensors[i]) / mk_block_values(tensors[i].type)));
    }
}

static void put_general_keys(struct mk *m)
{
    static const char *const tags[] = {"tiny", "example", "text-generation"};
    static const char *const languages[] = {"en"};

    mk_key_str(m, "general.architecture", "llama");
    mk_key_str(m, "general.name", "Tiny Llama sample");
    mk_key_str(m, "general.size_label", "85K");
    mk_key_str(m, "general.license", "mit");
    mk_key_strs(m, "general.tags", tags, COUNT(tags));
    mk_key_strs(m, "general.languages", languages, COUNT(languages));
    mk_key_int(m, "general.file_type", MK_U32, 2);
    mk_key_int(m, "general.quantization_version", MK_U32, 2);
}

static void put_llama_keys(struct mk *m)
{
    mk_key_int(m, "llama.context_length", MK_U32, 2048);
    mk_key_int(m, "llama.embedding_length", MK_U32, 64);
    mk_key_int(m, "llama.block_count", MK_U32, 2);
    mk_key_int(m, "llama.feed_forward_length", MK_U32, 128);
    mk_key_int(m, "llama.attention.head_count", MK_U32, 4);
    mk_key_int(m, "llama.attention.head_count_kv", MK_U32, 2);
    mk_key_f32(m, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    mk_key_f32(m, "llama.rope.freq_base", 10000.0f);
    mk_key_int(m, "llama.rope.dimension_count", MK_U32, 16);
}

static void put_nested_array(struct mk *m)
{
    mk_key_array(m, "example.nested", MK_ARR, 3);
    mk_array(m, MK_I32, 3);
    mk_u32(m, 1);
    mk_u32(m, (uint32_t)-2);
    mk_u32(m, 3);
    mk_array(m, MK_STR, 2);
    mk_string(m, "a\tb");
    mk_string(m, "\"quoted\"");
    mk_array(m, MK_ARR, 2);
    mk_array(m, MK_BOOL, 2);
    mk_u8(m, 1);
    mk_u8(m, 0);
    mk_array(m, MK_F64, 0);
}

static void put_float_arrays(struct mk *m)
{
    static const float floats[] = {0.1f, -0.0f, 1e-5f, 3.4028235e38f, INFINITY, -INFINITY, NAN};
    static const double doubles[] = {0.1, 1e16, 5e-324, 1e-4, 123456789.125};

    mk_key_array(m, "example.floats", MK_F32, COUNT(floats));
    for (size_t i = 0; i < COUNT(floats); i++)
        mk_f32(m, floats[i]);
    mk_key_array(m, "example.doubles", MK_F64, COUNT(doubles));
    for (size_t i = 0; i < COUNT(doubles); i++)
        mk_f64(m, doubles[i]);
}

/* Every type of value, the ends of its range, and names that cannot be file names. */
static void put_example_keys(struct mk *m)
{
    mk_key_int(m, "example.u8", MK_U8, 255);
    mk_key_int(m, "example.i8", MK_I8, -128);
    mk_key_int(m, "example.u16", MK_U16, 65535);
    mk_key_int(m, "example.i16", MK_I16, -32768);
    mk_key_int(m, "example.u32", MK_U32, 4294967295);
    mk_key_int(m, "example.i32", MK_I32, -2147483647 - 1);
    mk_key_int(m, "example.u64", MK_U64, -1);
    mk_key_int(m, "example.i64", MK_I64, INT64_MIN);
    mk_key_f32(m, "example.f32", 3.14159274f);
    mk_key_f64(m, "example.f64", 2.718281828459045);
    mk_key_int(m, "example.bool", MK_BOOL, 1);
    mk_key_int(m, "example.false", MK_BOOL, 0);
    mk_key_str(m, "example.empty", "");
    mk_key_str(m, "example.text", "two\nlines, a tab\t and \xE2\x82\xAC");
    mk_key_array(m, "example.u16s", MK_U16, 3);
    mk_u16(m, 1);
    mk_u16(m, 500);
    mk_u16(m, 65535);
    mk_key_array(m, "example.none", MK_U32, 0);
    put_float_arrays(m);
    put_nested_array(m);
    mk_key_str(m, "example.a/b", "a slash in the key");
    mk_key_str(m, "100%", "a percent sign in the key");
    mk_key_str(m, ".", "the key is one dot");
}

/* Behind <unk>, <s>, </s> and 256 byte tokens. Some are no file names, one is not UTF-8, two are
 * there twice. */
static const char *const words[] = {
    "\xE2\x96\x81", "\xE2\x96\x81the", "\xE2\x96\x81" "a", "\xE2\x96\x81of", "\xE2\x96\x81to",
    "\xE2\x96\x81in", "\xE2\x96\x81" "and", "\xE2\x96\x81is", "\xE2\x96\x81that",
    "\xE2\x96\x81" "for",
    "e", "t", "a", "o", "i", "n", "s", "r", "h", "l", "d", "u", "c", "m", "f", "p", "g", "w", "y",
    "b", "th", "he", "in", "er", "an", "re", "on", "at", "en", "nd", "or", "es", "ing", "tion",
    "/", "a/b", ".", "..", "%", "%2F", "\n", "\t", "\"", "\\", "\x1B[2J", "\xC3\x28",
    "\xF0\x9F\xA6\x99", "\xE2\x96\x81the", "\xE2\x96\x81the", "a", "",
};

#define FIRST_BYTE 3
#define FIRST_WORD (FIRST_BYTE + 256)
#define N_TOKENS (FIRST_WORD + COUNT(words))

static void put_tokens(struct mk *m)
{
    mk_key_array(m, "tokenizer.ggml.tokens", MK_STR, N_TOKENS);
    mk_string(m, "<unk>");
    mk_string(m, "<s>");
    mk_string(m, "</s>");
    for (unsigned i = 0; i < 256; i++) {
        char name[8];
        snprintf(name, sizeof name, "<0x%02X>", i);
        mk_string(m, name);
    }
    for (size_t i = 0; i < COUNT(words); i++)
        mk_string(m, words[i]);
}

static void put_scores_and_types(struct mk *m)
{
    mk_key_array(m, "tokenizer.ggml.scores", MK_F32, N_TOKENS);
    for (size_t i = 0; i < N_TOKENS; i++)
        mk_f32(m, i < FIRST_WORD ? 0.0f : -(float)(i - FIRST_WORD) - 0.5f);
    mk_key_array(m, "tokenizer.ggml.token_type", MK_I32, N_TOKENS);
    for (size_t i = 0; i < N_TOKENS; i++)
        mk_u32(m, i == 0 ? 2 : i < FIRST_BYTE ? 3 : i < FIRST_WORD ? 6 : 1);
}

static void put_vocabulary_keys(struct mk *m)
{
    static const char *const merges[] = {"t h", "h e", "i n", "e r", "a n", "in g", "t ion",
                                         "\xE2\x96\x81t he"};

    mk_key_str(m, "tokenizer.ggml.model", "llama");
    mk_key_str(m, "tokenizer.ggml.pre", "default");
    put_tokens(m);
    put_scores_and_types(m);
    mk_key_strs(m, "tokenizer.ggml.merges", merges, COUNT(merges));
    mk_key_int(m, "tokenizer.ggml.bos_token_id", MK_U32, 1);
    mk_key_int(m, "tokenizer.ggml.eos_token_id", MK_U32, 2);
    mk_key_int(m, "tokenizer.ggml.unknown_token_id", MK_U32, 0);
    mk_key_int(m, "tokenizer.ggml.padding_token_id", MK_U32, 0);
    mk_key_int(m, "tokenizer.ggml.add_bos_token", MK_BOOL, 1);
    mk_key_int(m, "tokenizer.ggml.add_eos_token", MK_BOOL, 0);
    mk_key_str(m, "tokenizer.chat_template",
               "{% for message in messages %}<|{{ message.role }}|>\n{{ message.content }}</s>\n"
               "{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}");
    mk_key_str(m, "tokenizer.chat_template.tool_use",
               "{% for tool in tools %}{{ tool.name }}\n{% endfor %}");
}

#define BLOCK(n)                                                                                   \
    {"blk." n ".attn_norm.weight", MK_T_F32, 1, {64}},                                             \
        {"blk." n ".attn_q.weight", MK_T_Q4_0, 2, {64, 64}},                                       \
        {"blk." n ".attn_k.weight", MK_T_Q4_0, 2, {64, 32}},                                       \
        {"blk." n ".attn_v.weight", MK_T_Q8_0, 2, {64, 32}},                                       \
        {"blk." n ".attn_output.weight", MK_T_Q4_0, 2, {64, 64}},                                  \
        {"blk." n ".ffn_norm.weight", MK_T_F32, 1, {64}},                                          \
        {"blk." n ".ffn_gate.weight", MK_T_Q4_0, 2, {64, 128}},                                    \
        {"blk." n ".ffn_up.weight", MK_T_Q4_0, 2, {64, 128}},                                      \
        {"blk." n ".ffn_down.weight", MK_T_BF16, 2, {128, 64}}

static const struct tensor sample_tensors[] = {
    {"token_embd.weight", MK_T_F16, 2, {64, N_TOKENS}},
    BLOCK("0"),
    BLOCK("1"),
    {"output_norm.weight", MK_T_F32, 1, {64}},
    {"output.weight", MK_T_Q8_0, 2, {64, N_TOKENS}},
    {"rope_freqs.weight", MK_T_F64, 1, {8}},
    {"v.patch_embd.weight", MK_T_F16, 4, {4, 4, 3, 8}},
    {"v.position_embd", MK_T_F32, 3, {8, 5, 3}},
    {"example/int8", MK_T_I8, 2, {5, 3}},
    {"example.int16", MK_T_I16, 1, {7}},
    {"example.int32", MK_T_I32, 1, {3}},
    {"example.int64", MK_T_I64, 1, {3}},
};

static void make_llama(struct mk *m, bool big)
{
    mk_start(m, 3, big);
    put_general_keys(m);
    put_llama_keys(m);
    put_example_keys(m);
    put_vocabulary_keys(m);
    put_tensors(m, sample_tensors, COUNT(sample_tensors));
}

static void make_sample(struct mk *m, uint64_t argument)
{
    (void)argument;
    make_llama(m, false);
}

static void make_sample_big_endian(struct mk *m, uint64_t argument)
{
    (void)argument;
    make_llama(m, true);
}

static void make_version(struct mk *m, uint32_t version, bool big)
{
    static const struct tensor tensors[] = {
        {"output_norm.weight", MK_T_F32, 1, {64}},
        {"output.weight", MK_T_Q8_0, 2, {64, 5}},
        {"half", MK_T_F16, 3, {4, 3, 2}},
    };
    static const char *const tokens[] = {"<s>", "</s>", "a", "b", "\n"};

    mk_start(m, version, big);
    put_general_keys(m);
    put_llama_keys(m);
    mk_key_strs(m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    mk_key_int(m, "example.i16", MK_I16, -2);
    put_tensors(m, tensors, COUNT(tensors));
}

static void make_v1(struct mk *m, uint64_t argument)
{
    (void)argument;
    make_version(m, 1, false);
}

static void make_v2(struct mk *m, uint64_t argument)
{
    (void)argument;
    make_version(m, 2, false);
}

static void make_v2_big(struct mk *m, uint64_t argument)
{
    (void)argument;
    make_version(m, 2, true);
}

/* Token i is its number in a form that makes lengths and order vary: `▁w<i in base 26>`. */
static void put_token(struct mk *m, uint64_t i)
{
    char text[24];
    size_t n = 0;

    if (i % 3 == 0) {
        memcpy(text, "\xE2\x96\x81", 3);
        n = 3;
    }
    for (uint64_t left = i + 1; left; left = (left - 1) / 26)
        text[n++] = (char)('a' + (left - 1) % 26);
    mk_string_n(m, text, n);
}

static void put_vocabulary(struct mk *m, uint64_t n)
{
    mk_key_str(m, "tokenizer.ggml.model", "llama");
    mk_key_array(m, "tokenizer.ggml.tokens", MK_STR, n);
    for (uint64_t i = 0; i < n; i++)
        put_token(m, i);
    mk_key_array(m, "tokenizer.ggml.scores", MK_F32, n);
    for (uint64_t i = 0; i < n; i++)
        mk_f32(m, -(float)i);
    mk_key_array(m, "tokenizer.ggml.token_type", MK_I32, n);
    for (uint64_t i = 0; i < n; i++)
        mk_u32(m, 1);
}

static void make_vocab(struct mk *m, uint64_t argument)
{
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
    put_vocabulary(m, argument ? argument : 1000);
    mk_data(m);
}

#define BIG_TENSORS 2000
#define BIG_BYTES (UINT64_C(100) * 1000 * 1000 * 1000)

static void make_big(struct mk *m, uint64_t argument)
{
    uint64_t rows = BIG_BYTES / BIG_TENSORS / (8192 / 32 * 18), dims[2] = {8192, rows};

    (void)argument;
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
    put_vocabulary(m, 260000);
    for (unsigned i = 0; i < BIG_TENSORS; i++) {
        char name[40];
        snprintf(name, sizeof name, "blk.%u.part.%u.weight", i / 10, i % 10);
        mk_tensor_next(m, name, MK_T_Q4_0, 2, dims, rows * (8192 / 32 * 18));
    }
    mk_data(m);
    m->file_size = m->data_at + m->next;
}

static void make_large(struct mk *m, uint64_t argument)
{
    static const struct tensor tensors[] = {
        {"f32", MK_T_F32, 2, {1024, 1500}},
        {"q8_0", MK_T_Q8_0, 2, {4096, 1200}},
        {"odd", MK_T_F32, 1, {3}},
        {"q4_0", MK_T_Q4_0, 2, {4096, 2000}},
        {"f16", MK_T_F16, 2, {1024, 2300}},
    };

    (void)argument;
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
    put_tensors(m, tensors, COUNT(tensors));
}

static void make_header_only(struct mk *m, uint64_t argument)
{
    (void)argument;
    mk_start(m, 3, false);
}

static void make_no_tensors(struct mk *m, uint64_t argument)
{
    (void)argument;
    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
}

static void make_no_keys(struct mk *m, uint64_t argument)
{
    static const struct tensor tensors[] = {{"w", MK_T_F32, 1, {8}}};

    (void)argument;
    mk_start(m, 3, false);
    put_tensors(m, tensors, COUNT(tensors));
}

static void make_dims(struct mk *m, uint64_t argument)
{
    static const struct tensor tensors[] = {
        {"scalar", MK_T_F32, 0, {0}},        {"empty", MK_T_F32, 1, {0}},
        {"empty.q", MK_T_Q8_0, 2, {32, 0}},  {"empty.inner", MK_T_F16, 3, {4, 0, 2}},
        {"four", MK_T_F32, 4, {2, 3, 4, 5}}, {"one", MK_T_F32, 4, {1, 1, 1, 1}},
    };

    (void)argument;
    mk_start(m, 3, false);
    put_tensors(m, tensors, COUNT(tensors));
}

static void make_alignment(struct mk *m, uint64_t argument)
{
    static const struct tensor tensors[] = {
        {"w", MK_T_F32, 1, {3}}, {"b", MK_T_I8, 1, {5}}, {"q", MK_T_Q8_0, 1, {32}}};

    mk_start(m, 3, false);
    mk_key_str(m, "general.architecture", "llama");
    mk_key_alignment(m, argument ? (uint32_t)argument : 1);
    put_tensors(m, tensors, COUNT(tensors));
}

/* Offsets neither dense nor in the order of the records; the last byte of the file is the last
 * tensor's. */
static void make_order(struct mk *m, uint64_t argument)
{
    static const uint64_t dims[] = {8};

    (void)argument;
    mk_start(m, 3, false);
    mk_tensor(m, "third", MK_T_F32, 1, dims, 256);
    mk_tensor(m, "first", MK_T_F32, 1, dims, 32);
    mk_tensor(m, "second", MK_T_F32, 1, dims, 128);
    mk_data(m);
    mk_data_to(m, 32);
    mk_blocks(m, MK_T_F32, 8);
    mk_data_to(m, 128);
    mk_blocks(m, MK_T_F32, 8);
    mk_data_to(m, 256);
    mk_blocks(m, MK_T_F32, 8);
}

static void make_tied(struct mk *m, uint64_t argument)
{
    static const uint64_t dims[] = {8};

    (void)argument;
    mk_start(m, 3, false);
    mk_tensor(m, "token_embd.weight", MK_T_F32, 1, dims, 0);
    mk_tensor(m, "output.weight", MK_T_F32, 1, dims, 0);
    mk_data(m);
    mk_blocks(m, MK_T_F32, 8);
}

static void put_long_name(struct mk *m, size_t n, uint64_t offset)
{
    static const uint64_t dims[] = {8};
    char name[1000];

    memset(name, 'x', sizeof name);
    mk_tensor_n(m, name, n, MK_T_F32, 1, dims, offset);
}

static void make_long_names(struct mk *m, uint64_t argument)
{
    static const size_t lengths[] = {64, 251, 252, 255, 256, 1000};
    char key[300];

    (void)argument;
    mk_start(m, 3, false);
    memset(key, 'k', sizeof key);
    mk_key_n(m, key, sizeof key, MK_U8);
    mk_u8(m, 1);
    for (size_t i = 0; i < COUNT(lengths); i++)
        put_long_name(m, lengths[i], i * 32);
    mk_data(m);
    for (size_t i = 0; i < COUNT(lengths); i++)
        mk_blocks(m, MK_T_F32, 8);
}

static void make_odd_names(struct mk *m, uint64_t argument)
{
    static const struct {
        const char *name;
        size_t n;
    } names[] = {
        {"a/b", 3}, {"a%2Fb", 5}, {".", 1},   {"..", 2},       {"", 0},         {"%", 1},
        {"%00", 3}, {"a\0b", 3},  {"\n", 1},  {"\xC3\x28", 2}, {"\x1B[2J", 4},  {"..", 2},
        {"w", 1},   {"w", 1},     {"w", 1},   {"w%~2", 4},     {"/etc/x", 6},   {"-rf", 3},
        {" ", 1},   {"*", 1},     {"a.b", 3}, {"a", 1},        {"a.b.c", 5},
    };
    static const uint64_t dims[] = {8};

    (void)argument;
    mk_start(m, 3, false);
    for (size_t i = 0; i < COUNT(names); i++) {
        mk_key_n(m, names[i].name, names[i].n, MK_U32);
        mk_u32(m, (uint32_t)i);
    }
    for (size_t i = 0; i < COUNT(names); i++)
        mk_tensor_n(m, names[i].name, names[i].n, MK_T_F32, 1, dims, i * 32);
    mk_data(m);
    mk_blocks(m, MK_T_F32, 8 * COUNT(names));
}

static void make_odd_vocab(struct mk *m, uint64_t argument)
{
    static const char *const tokens[] = {"a", "b", "a"};
    static char long_token[10240];

    (void)argument;
    mk_start(m, 3, false);
    mk_key_array(m, "tokenizer.ggml.tokens", MK_STR, COUNT(tokens) + 2);
    for (size_t i = 0; i < COUNT(tokens); i++)
        mk_string(m, tokens[i]);
    memset(long_token, 'z', sizeof long_token);
    mk_string_n(m, long_token, sizeof long_token);
    mk_string_n(m, "n\0l", 3);
    mk_key_array(m, "tokenizer.ggml.scores", MK_F32, 1);
    mk_f32(m, 1.5f);
    mk_key_array(m, "tokenizer.ggml.token_type", MK_I32, 7);
    for (unsigned i = 0; i < 7; i++)
        mk_u32(m, i);
    mk_key_int(m, "tokenizer.ggml.merges", MK_U32, 3);
    mk_key_int(m, "tokenizer.ggml.bos_token_id", MK_U32, 99);
    mk_key_str(m, "tokenizer.ggml.eos_token_id", "2");
    mk_data(m);
}

static void make_template_only(struct mk *m, uint64_t argument)
{
    (void)argument;
    mk_start(m, 3, false);
    mk_key_str(m, "tokenizer.chat_template", "{{ messages }}\n");
}

static void make_too_large(struct mk *m, uint64_t argument)
{
    static const uint64_t large[] = {64, 4}, small[] = {8};

    (void)argument;
    mk_start(m, 3, false);
    mk_tensor(m, "large", MK_T_F32, 2, large, 0);
    mk_tensor(m, "small", MK_T_F32, 1, small, 64);
    mk_tensor(m, "cut", MK_T_F32, 1, small, 96);
    mk_tensor(m, "past", MK_T_F32, 1, small, 4096);
    mk_data(m);
    mk_blocks(m, MK_T_F32, 96 / 4 + 4);
}

static void make_unknown_types(struct mk *m, uint64_t argument)
{
    static const uint32_t types[] = {4, 5, 31, 36, 44, 137, UINT32_MAX};
    static const uint64_t dims[] = {256};

    (void)argument;
    mk_start(m, 3, false);
    for (size_t i = 0; i < COUNT(types); i++) {
        char name[16];
        snprintf(name, sizeof name, "type%u", types[i]);
        mk_tensor(m, name, types[i], 1, dims, i * 160);
    }
    mk_tensor(m, "good", MK_T_F32, 1, (const uint64_t[]){8}, COUNT(types) * 160);
    mk_data(m);
    mk_blocks(m, MK_T_F32, COUNT(types) * 40 + 8);
}

static void put_levels(struct mk *m, uint64_t levels)
{
    mk_key_array(m, "deep", levels > 1 ? MK_ARR : MK_U8, 1);
    for (uint64_t i = 1; i < levels; i++)
        mk_array(m, i + 1 < levels ? MK_ARR : MK_U8, 1);
    mk_u8(m, 7);
}

static void make_nested(struct mk *m, uint64_t argument)
{
    mk_start(m, 3, false);
    put_levels(m, argument ? argument : 16);
    mk_data(m);
}

const struct mk_kind mk_good_kinds[] = {
    {"sample", MK_MOUNT, "a tiny llama with every part of the tree", make_sample},
    {"sample-be", MK_MOUNT, "the same, big-endian", make_sample_big_endian},
    {"v1", MK_MOUNT, "GGUF 1", make_v1},
    {"v2", MK_MOUNT, "GGUF 2", make_v2},
    {"v2-be", MK_MOUNT, "GGUF 2, big-endian", make_v2_big},
    {"vocab", MK_MOUNT, "N tokens (1000)", make_vocab},
    {"big", MK_MOUNT, "2,000 tensors over a sparse 100 GB, 260,000 tokens", make_big},
    {"large", MK_MOUNT, "tensors of more than 4 MiB", make_large},
    {"header-only", MK_MOUNT, "no keys, no tensors: 24 bytes", make_header_only},
    {"no-tensors", MK_MOUNT, "a key, no tensors", make_no_tensors},
    {"no-keys", MK_MOUNT, "a tensor, no keys", make_no_keys},
    {"dims", MK_MOUNT, "no dimensions, dimensions of 0, four dimensions", make_dims},
    {"alignment", MK_MOUNT, "alignment N (1)", make_alignment},
    {"order", MK_MOUNT, "gaps, offsets in another order, no padding at the end", make_order},
    {"tied", MK_MOUNT, "two tensors at one offset", make_tied},
    {"long-names", MK_MOUNT, "names of 64 to 1000 bytes", make_long_names},
    {"odd-names", MK_MOUNT, "names that are no file names, and duplicates", make_odd_names},
    {"odd-vocab", MK_MOUNT, "vocabulary arrays of wrong types and lengths", make_odd_vocab},
    {"template-only", MK_MOUNT, "a chat template without tokens", make_template_only},
    {"too-large", MK_MARKED, "tensors larger than their room", make_too_large},
    {"unknown-types", MK_MARKED, "type numbers without a decoder", make_unknown_types},
    {"nested", MK_MOUNT, "an array nested N (16) deep", make_nested},
    {NULL, MK_MOUNT, NULL, NULL},
};
